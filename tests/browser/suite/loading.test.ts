/** What a visit to the application loads before it can be used: each file costs a slow phone a round trip. */
import assert from "node:assert/strict";
import { scene } from "../support/scene.ts";

const { user, story } = scene();

/** How many requests may begin before the list is there, not counting pictures. */
const REQUESTS = 12;
/** How much JavaScript may arrive before, in bytes as the stack compresses them, with their headers. */
const SCRIPT_BYTES = 180_000;

story("the list of projects is there after a few requests, in a tab that knows nothing", async (t) => {
  const owner = await user(t);
  await owner.call("POST", "/projects", { data: { name: "Shop" } });
  const page = await owner.context.newPage();
  const network = await owner.context.newCDPSession(page);
  await network.send("Network.enable");
  await network.send("Network.setCacheDisabled", { cacheDisabled: true });
  const begun: string[] = [];
  const scripts = new Set<string>();
  let bytes = 0;
  network.on("Network.requestWillBeSent", ({ requestId, request, type }) => {
    if (type !== "Image") begun.push(new URL(request.url).pathname);
    if (type === "Script") scripts.add(requestId);
  });
  network.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    if (scripts.has(requestId)) bytes += encodedDataLength;
  });
  await page.goto("/app");
  await page.getByRole("main").getByRole("link", { name: /Shop/ }).waitFor();
  assert.ok(begun.length <= REQUESTS, `${begun.length} requests: ${begun.join(" ")}`);
  assert.ok(bytes > 0 && bytes <= SCRIPT_BYTES, `${bytes} bytes of script`);
});
