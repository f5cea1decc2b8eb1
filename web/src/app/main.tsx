import '#kit/design.css';
import { createRoot } from 'react-dom/client';
import { hideArrival } from '#features/sign-in/arrival.ts';
import { joinTabs } from '#platform/cross-tab.ts';
import { loadLanguage } from '#platform/language.ts';
import { applyAppearance } from '#platform/appearance.ts';
import { App } from './App.tsx';
import { preloadPage } from './pages.ts';
import { showStartFailure } from './start-failure.ts';

// First of all: neither a code nor an assertion may stand in the address bar while anything is asked for.
hideArrival();
applyAppearance();
joinTabs();

const root = document.getElementById('root');
if (root === null) throw new Error('The page has no root element');

// The sentences come while the page's own code does, and the first render has both.
Promise.all([loadLanguage(), preloadPage(location.pathname)]).then(
  () => createRoot(root).render(<App />),
  () => showStartFailure(root),
);
