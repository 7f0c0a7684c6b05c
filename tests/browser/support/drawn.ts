import assert from "node:assert/strict";

/** Waits until the page has drawn its state: all transitions have ended and two frames have been drawn since. */
export async function drawn(page: Page) {
  await page.evaluate(async () => {
    const frame = () => new Promise(requestAnimationFrame);
    await frame();
    const running = document
      .getAnimations()
      .filter((it) => it.effect?.getComputedTiming().endTime !== Infinity);
    await Promise.allSettled(running.map((animation) => animation.finished));
    await frame();
    await frame();
  });
}

/** The position and size of an element; an element that is not drawn fails the test. */
export async function boxOf(locator: Locator) {
  const box = await locator.boundingBox();
  assert.ok(box, `${locator} is not drawn`);
  return box;
}
