import css from './Tooltip.module.css';

const hoverDelayMs = 500;
const gapPx = 6;

// One listener for the controls that `tip` marks. It is loaded after the page: nothing is pointed at before.

let shown: { readonly control: HTMLElement; readonly bubble: HTMLElement; readonly changes: MutationObserver } | undefined;
let pointed: HTMLElement | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;

const hide = (): void => {
  clearTimeout(timer);
  shown?.changes.disconnect();
  shown?.bubble.remove();
  shown = undefined;
};

const show = (control: HTMLElement): void => {
  hide();
  if (!control.isConnected || (control.dataset['tipWhen'] === 'cut' && !isCut(control))) return;
  const bubble = document.createElement('span');
  bubble.className = css['bubble'] ?? '';
  bubble.popover = 'manual';
  bubble.ariaHidden = 'true';
  bubble.textContent = control.dataset['tip'] ?? '';
  document.body.append(bubble);
  const changes = new MutationObserver(() => {
    const text = control.isConnected ? control.dataset['tip'] : undefined;
    if (text === undefined) hide();
    else if (text !== bubble.textContent) bubble.textContent = text;
  });
  changes.observe(document, { subtree: true, childList: true, attributeFilter: ['data-tip'] });
  shown = { control, bubble, changes };
  // In a frame of its own: while a panel that has just closed gives its focus back, the browser shows no other one.
  requestAnimationFrame(() => {
    if (bubble.isConnected) place(bubble, control);
  });
};

const place = (bubble: HTMLElement, control: HTMLElement): void => {
  // The top layer: a window's edge must not cut the text off.
  bubble.showPopover();
  const at = control.getBoundingClientRect();
  const size = bubble.getBoundingClientRect();
  const isBelow = at.bottom + gapPx + size.height <= innerHeight;
  const left = Math.min(Math.max(at.left + (at.width - size.width) / 2, gapPx), innerWidth - size.width - gapPx);
  bubble.style.left = `${left}px`;
  bubble.style.top = `${isBelow ? at.bottom + gapPx : at.top - gapPx - size.height}px`;
};

/** What may be cut is the element itself, or the part of it that is marked so. */
const isCut = (element: HTMLElement): boolean => {
  const { scrollWidth, clientWidth, scrollHeight, clientHeight } = element.querySelector('[data-may-be-cut]') ?? element;
  return scrollWidth > clientWidth || scrollHeight > clientHeight;
};

const controlOf = (target: EventTarget | null): HTMLElement | undefined =>
  (target instanceof Element && target.closest<HTMLElement>('[data-tip]')) || undefined;

const point = (control: HTMLElement | undefined): void => {
  if (control === pointed) return;
  clearTimeout(timer);
  if (shown?.control === pointed) hide();
  pointed = control;
  if (control !== undefined) timer = setTimeout(() => show(control), hoverDelayMs);
};

const listen = <Name extends keyof WindowEventMap>(name: Name, handle: (event: WindowEventMap[Name]) => void): void =>
  addEventListener(name, handle, true);

listen('pointerover', ({ target, pointerType }) => point(pointerType === 'touch' ? undefined : controlOf(target)));
listen('pointerout', ({ relatedTarget }) => point(controlOf(relatedTarget)));
listen('pointerdown', hide);
listen('focusin', ({ target }) => {
  if (target instanceof HTMLElement && target.matches('[data-tip]:focus-visible')) show(target);
});
listen('focusout', ({ target }) => {
  if (shown?.control === target) hide();
});
listen('keydown', (event) => {
  if (event.key !== 'Escape' || shown === undefined) return;
  // The first Escape belongs to the tooltip alone, not to the dialog or window around it.
  if (shown.control === event.target) event.stopPropagation();
  hide();
});
