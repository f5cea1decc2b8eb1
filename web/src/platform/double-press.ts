/** Within so many milliseconds a second press was meant for what was there before. */
const doublePressMs = 400;
const samePlacePx = 16;

const controls =
  'button, a[href], input, select, textarea, summary, [role=button], [role=menuitem], [role=menuitemradio], [role=option], [role=tab], [role=row], [role=checkbox], [role=switch]';

interface Press {
  readonly at: number;
  readonly x: number;
  readonly y: number;
  readonly label: string;
}

const controlUnder = (event: Event): Element | null => {
  const element = event.target instanceof Element ? event.target : null;
  return element?.closest('label')?.control ?? element?.closest(controls) ?? null;
};
const labelOf = (control: Element | null): string => control?.getAttribute('aria-label') ?? control?.textContent ?? '';

/** Ignores the second press of a double press when the control under the pointer has another name by then, until the answer is called. */
export const ignorePressesOnChangedControls = (root: EventTarget = globalThis): (() => void) => {
  let begun: Omit<Press, 'at'> | undefined;
  let last: Press | undefined;
  let ignored = false;

  const isUnmeant = (event: MouseEvent): boolean => {
    if (last === undefined || event.timeStamp - last.at > doublePressMs) return false;
    if (Math.abs(event.clientX - last.x) > samePlacePx || Math.abs(event.clientY - last.y) > samePlacePx) return false;
    const control = controlUnder(event);
    // What was drawn anew under the same name is the same to a person.
    return control !== null && labelOf(control) !== last.label;
  };
  const swallow = (event: Event): void => {
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  const handlePress = (event: Event): void => {
    if (!(event instanceof PointerEvent)) return;
    ignored = isUnmeant(event);
    if (ignored) swallow(event);
    else begun = { x: event.clientX, y: event.clientY, label: labelOf(controlUnder(event)) };
  };
  const handleRest = (event: Event): void => {
    const isClick = event instanceof MouseEvent && event.type === 'click';
    // A key's click has no place, and comes with no press.
    if (isClick && event.detail === 0) return;
    if (ignored) swallow(event);
    // A finger that only scrolls presses without a click.
    else if (isClick && begun !== undefined) last = { ...begun, at: event.timeStamp };
  };

  const rest = ['mousedown', 'pointerup', 'mouseup', 'click', 'dblclick'];
  const listening = new AbortController();
  const options = { capture: true, signal: listening.signal };
  root.addEventListener('pointerdown', handlePress, options);
  for (const type of rest) root.addEventListener(type, handleRest, options);
  return () => listening.abort();
};
