import { expect, onTestFinished, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { repeatEarlyPress } from '#features/sign-in/early-press.ts';
import { choosePrerendered } from './before-paint.ts';

const look = (title: string): string =>
  `<h1>${title}</h1><form><input aria-label="id"><button disabled>${title}</button></form><button type="button">English</button>`;

interface Drawn {
  readonly root: HTMLElement;
  /** The code comes; what it was told of all that was pressed. */
  readonly letTheCodeCome: () => readonly string[];
}

/** As the server draws it for a house that speaks Polish; the element is where the code takes over. */
const drawnPage = (spoken: string | undefined, drawn = look('Zaloguj się')): Drawn => {
  sessionStorage.clear();
  if (spoken !== undefined) sessionStorage.setItem('lang', spoken);
  document.documentElement.lang = 'pl';
  document.body.innerHTML = `<div>${drawn}</div><template data-language="EN">${look('Sign in')}</template>`;
  onTestFinished(() => {
    document.body.replaceChildren();
    delete document.documentElement.dataset['drawn'];
  });
  const root = document.querySelector('div');
  if (root === null) throw new Error('there is no page');
  choosePrerendered(root);
  onTestFinished(repeatEarlyPress);
  const letTheCodeCome = () => {
    const told: string[] = [];
    for (const button of root.querySelectorAll('button')) button.addEventListener('click', () => told.push(button.textContent));
    root.querySelector('form')?.addEventListener('submit', (event) => {
      event.preventDefault();
      told.push('submit');
    });
    repeatEarlyPress();
    repeatEarlyPress();
    return told;
  };
  return { root, letTheCodeCome };
};

const titleOf = (root: HTMLElement) => root.querySelector('h1')?.textContent;

test('a drawn page is the one of the language that is spoken here, and nothing is left of the others', () => {
  const { root } = drawnPage('EN');
  expect([titleOf(root), document.documentElement.lang]).toEqual(['Sign in', 'en']);
  expect(document.querySelectorAll('template')).toHaveLength(0);
});

test.each([undefined, 'PL'])('the house’s own language (%s) stays as it was drawn', (spoken) => {
  const { root } = drawnPage(spoken);
  expect([titleOf(root), document.documentElement.lang]).toEqual(['Zaloguj się', 'pl']);
});

test('of a language that was not drawn nothing is shown until the code shows it', () => {
  const { root } = drawnPage('DE');
  expect([root.hasChildNodes(), document.documentElement.lang]).toEqual([false, 'pl']);
});

test('a page that was not drawn stays empty', () => {
  expect(drawnPage('EN', '').root.hasChildNodes()).toBe(false);
});

test('a button that was pressed before the code was there is pressed again, once', async () => {
  const { letTheCodeCome } = drawnPage(undefined);
  await userEvent.click(page.getByRole('button', { name: 'English' }));
  expect(letTheCodeCome()).toEqual(['English']);
});

test('Enter in the field sends the form when the code is there, unless something else was typed since', async () => {
  const shown = drawnPage(undefined);
  await userEvent.type(page.getByLabelText('id'), '1000{Enter}');
  expect(shown.letTheCodeCome()).toEqual(['submit']);
  const corrected = drawnPage(undefined);
  await userEvent.type(page.getByLabelText('id'), '1000{Enter}1');
  expect(corrected.letTheCodeCome()).toEqual([]);
});
