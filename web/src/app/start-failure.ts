/** What is shown when not even the sentences could be fetched: both languages, without the design that may not have come either. */
export const showStartFailure = (root: HTMLElement): void => {
  const main = document.createElement('main');
  main.style.padding = '24px';
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = 'Spróbuj ponownie · Try again';
  button.addEventListener('click', () => location.reload());
  main.append(paragraph('pl', 'Błąd sieci'), paragraph('en', 'Network Error'), button);
  root.replaceChildren(main);
};

const paragraph = (language: string, text: string): HTMLParagraphElement => {
  const element = document.createElement('p');
  element.lang = language;
  element.textContent = text;
  return element;
};
