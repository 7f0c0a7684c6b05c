/** Waits until the page shows what it was told: every transition has ended and two frames have been drawn since. */
export async function drawn(page) {
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
