/** The landing page as Lighthouse sees it on a slow phone, with its mobile preset. */
import assert from "node:assert/strict";
import { createServer } from "node:net";
import lighthouse from "lighthouse";
import { launch } from "../support/browser.js";
import { scene } from "../support/scene.js";

const { visitor, story } = scene();

const AT_LEAST = { performance: 95, accessibility: 100, "best-practices": 100, seo: 100 };
/** The most JavaScript that the page may load, gzipped, in bytes. */
const SCRIPT_BYTES = 100_000;

story("the landing page is fast, accessible, well made and found", async (t) => {
  const { url } = await visitor(t);
  const port = await freePort();
  const browser = await launch([`--remote-debugging-port=${port}`]);
  try {
    const { lhr } = await lighthouse(`${url}/`, {
      port,
      logLevel: "error",
      onlyCategories: Object.keys(AT_LEAST),
    });
    assert.equal(lhr.runtimeError, undefined);
    const scores = Object.values(lhr.categories).map(({ id, score }) => [id, Math.round(score * 100)]);
    t.diagnostic(JSON.stringify(Object.fromEntries(scores)));
    const short = scores.filter(([id, score]) => score < AT_LEAST[id]);
    assert.deepEqual(short, [], `lost points: ${lost(lhr)}`);

    const scripts = lhr.audits["network-requests"].details.items.filter(
      ({ resourceType }) => resourceType === "Script",
    );
    const bytes = scripts.reduce((sum, { transferSize }) => sum + transferSize, 0);
    assert.ok(scripts.length > 0 && bytes <= SCRIPT_BYTES, `${bytes} bytes of script`);
  } finally {
    await browser.close();
  }
});

/** What was found wrong, in Lighthouse's words. */
function lost({ categories, audits }) {
  return Object.values(categories)
    .flatMap(({ auditRefs }) => auditRefs)
    .filter(({ id, weight }) => weight > 0 && audits[id].score !== null && audits[id].score < 1)
    .map(({ id }) => `${id} ${audits[id].score} (${audits[id].displayValue ?? audits[id].title})`)
    .join("; ");
}

async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}
