import './before-paint.ts';
import '#kit/styles/design.css';
import './prerendered.css';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { hideArrival } from '#features/sign-in/arrival.ts';
import { joinTabs } from '#platform/cross-tab.ts';
import { isOtherLanguageChosen, loadLanguage } from '#platform/language.ts';
import { isAnythingAsked } from '#platform/unsent-work.ts';
import { App } from './App.tsx';
import { preloadPage } from './pages.ts';

// First of all: neither a code nor an assertion may stand in the address bar while anything is asked for.
hideArrival();
joinTabs();
// A tab follows the language that was chosen in another one when it is looked at again, unless something in it is not sent yet.
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'visible' && isOtherLanguageChosen() && !isAnythingAsked()) location.reload();
});

const root = document.getElementById('root');
if (root === null) throw new Error('The page has no root element');

const start = (): void => {
  // The prerendered page stays, with what was typed into it by now.
  if (root.hasChildNodes()) hydrateRoot(root, <App />);
  else createRoot(root).render(<App />);
  delete document.documentElement.dataset['drawn'];
  void import('#kit/overlays/tooltips.ts');
};

/** What is shown when not even the sentences could be fetched: both languages, without the design that may not have come either. */
const showStartFailure = (): void => {
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

// The sentences come while the page's own code does, and the first render has both.
Promise.all([loadLanguage(), preloadPage(location.pathname)]).then(start, showStartFailure);
