const slowMs = 180;
const leaveMs = 90;
const easing = 'cubic-bezier(.2, 0, 0, 1)';
const still = matchMedia('(prefers-reduced-motion: reduce)');
/** By the device, or by the customer's own choice. */
export const isStill = (): boolean => still.matches || document.documentElement.dataset['motion'] === 'reduced';

/** Lets elements that have just jumped travel from where they were, by transform alone. */
export function glide(travellers: readonly { readonly element: HTMLElement; readonly before: DOMRect }[]): void {
  if (isStill()) return;
  // First everything is measured, then everything set off: in turns, each would be laid out anew.
  const journeys = travellers.map((traveller) => {
    const { element } = traveller;
    return { ...traveller, after: element.getBoundingClientRect(), own: getComputedStyle(element).transform };
  });
  for (const { element, before, after, own } of journeys) {
    if (before.width === 0 || after.width === 0) continue;
    const base = own === 'none' ? '' : ` ${own}`;
    const from = `translate(${before.x - after.x}px, ${before.y - after.y}px)${base} scale(${before.width / after.width}, ${before.height / after.height})`;
    const frames = { transform: [from, base.trim() || 'none'], transformOrigin: ['0 0', '0 0'] };
    element.animate(frames, { duration: slowMs, easing });
  }
}

/** Resolves when the element may go. A timer, not the animation, decides: a hidden tab's animations never end. */
export function fadeOut(element: HTMLElement): Promise<void> {
  if (isStill()) return Promise.resolve();
  element.animate([{ opacity: 1 }, { opacity: 0, translate: '0 4px' }], { duration: leaveMs, easing, fill: 'forwards' });
  return new Promise((resolve) => {
    setTimeout(resolve, leaveMs);
  });
}
