/** What was pressed last on a page that stands there already, but has no code yet that would answer. */
let again: (() => void) | undefined;
let stop: (() => void) | undefined;

/** From now on presses are kept, until they are repeated. */
export const keepEarlyPress = (page: HTMLElement): void => {
  const listening = new AbortController();
  const listen = <Name extends keyof HTMLElementEventMap>(name: Name, handle: (event: HTMLElementEventMap[Name]) => void): void =>
    page.addEventListener(name, handle, { signal: listening.signal });
  listen('click', ({ target }) => {
    const button = target instanceof Element ? target.closest('button') : null;
    if (button !== null) again = () => button.click();
  });
  listen('keydown', ({ key, target }) => {
    // The button of the form cannot be pressed yet, so that the browser sends nothing by itself.
    if (key === 'Enter' && target instanceof HTMLInputElement) again = () => target.form?.requestSubmit();
  });
  listen('input', () => (again = undefined));
  stop = () => listening.abort();
};

/** Once the page answers: presses what was pressed before that. */
export const repeatEarlyPress = (): void => {
  const press = again;
  stop?.();
  again = undefined;
  stop = undefined;
  press?.();
};
