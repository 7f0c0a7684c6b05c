import { readFile } from "node:fs/promises";
import { afterEach, expect, test, vi } from "vitest";
import { PUBLIC_PAGES } from "../../public-pages";

afterEach(() => {
  vi.unstubAllEnvs();
  vi.resetModules();
});

const rendered = () => import("./render");

test("every public page is a whole document with a title, a description and one heading", async () => {
  const { renderPage } = await rendered();
  for (const path of Object.keys(PUBLIC_PAGES)) {
    const html = renderPage(path);
    expect(html).toMatch(/^<!doctype html>\n<html lang="en">/);
    expect(html.match(/<title>/g)).toHaveLength(1);
    expect(html.match(/<h1[ >]/g)).toHaveLength(1);
    expect(html).toMatch(/<meta name="description" content="[^"]{50,160}"/);
  }
  expect(() => renderPage("/nowhere")).toThrow();
});

test("no public page has inline scripts or styles, as the security policy requires", async () => {
  const { renderPage } = await rendered();
  for (const path of Object.keys(PUBLIC_PAGES)) {
    expect(renderPage(path)).not.toMatch(/<script(?![^>]*\bsrc=)|<style|\sstyle="|\son[a-z]+="/);
  }
});

test("every public page applies the chosen theme before it is drawn", async () => {
  const { renderPage } = await rendered();
  for (const path of Object.keys(PUBLIC_PAGES)) {
    expect(renderPage(path)).toMatch(/<head>.*<script src="\/theme\.js"><\/script>.*<\/head>/s);
  }
});

test("a site with a configured address has canonical links and a sitemap", async () => {
  vi.stubEnv("VITE_SITE_URL", "https://crew.example/");
  const { renderPage, siteFiles } = await rendered();
  expect(renderPage("/terms")).toContain('<link rel="canonical" href="https://crew.example/terms"/>');
  expect(renderPage("/")).toContain('content="https://crew.example/social.png"');
  const files = siteFiles();
  for (const path of Object.keys(PUBLIC_PAGES)) {
    expect(files["sitemap.xml"]).toContain(`<loc>https://crew.example${path}</loc>`);
  }
  expect(files["robots.txt"]).toContain("Sitemap: https://crew.example/sitemap.xml");
});

test("a site without a configured address has neither canonical links nor a sitemap", async () => {
  vi.stubEnv("VITE_SITE_URL", "");
  const { renderPage, siteFiles } = await rendered();
  expect(renderPage("/")).not.toContain("canonical");
  expect(Object.keys(siteFiles())).toEqual(["robots.txt"]);
});

test("demos and the contact address can be configured", async () => {
  vi.stubEnv("VITE_CONTACT_EMAIL", "crew@crew.example");
  vi.stubEnv("VITE_DEMO_2_VIDEO", "https://films.example/two.mp4");
  const { renderPage } = await rendered();
  const html = renderPage("/");
  expect(html).toContain('href="mailto:crew@crew.example"');
  expect(html).toContain('data-video="/demos/web-service.webm"');
  expect(html).toContain('data-video="https://films.example/two.mp4"');
});

test("every server of the site has the same list of public pages", async () => {
  const paths = Object.keys(PUBLIC_PAGES).filter((path) => path !== "/");
  const edge = await readFile(new URL("../../../infra/template.yaml", import.meta.url), "utf8");
  expect(edge).toContain(`PUBLIC_PAGES = [${paths.map((path) => `'${path}'`).join(", ")}]`);
  const local = await readFile(new URL("../../../infra/local/src/gateway/site.rs", import.meta.url), "utf8");
  expect(local).toContain(`= [${paths.map((path) => `"${path}"`).join(", ")}]`);
});

/** The text of a page, without its marks. */
const words = (html: string) => html.replace(/<[^>]+>/g, "").replace(/\s+/g, " ");

test("the legal pages say that uninstalling the app deletes the account", async () => {
  const { renderPage } = await rendered();
  for (const path of ["/terms", "/privacy", "/refund-policy"]) {
    expect(words(renderPage(path)), path).toMatch(/uninstalling the app[^.]* deletes/i);
  }
});

test("the policy names everyone to whom the contract shows a project", async () => {
  const { renderPage } = await rendered();
  const contract = await readFile(new URL("../../openapi.json", import.meta.url), "utf8");
  const policy = words(renderPage("/privacy"));
  for (const [call, said] of [
    ["/repository/import", /Your repositories: .*we read the files/],
    ["/repository/push", /Readers of a repository that you push to/],
    ["/shared/timeline", /Anyone who has a link/],
    ["/github/guests", /the guests you allow/],
  ] as const) {
    expect(contract).toContain(call);
    expect(policy).toMatch(said);
  }
});

test("the pages about prices name the running time of sandboxes", async () => {
  const { renderPage } = await rendered();
  for (const path of ["/terms", "/pricing", "/refund-policy"]) {
    expect(words(renderPage(path)), path).toMatch(/the (running )?time (of|that) (your )?sandboxes/);
  }
});
