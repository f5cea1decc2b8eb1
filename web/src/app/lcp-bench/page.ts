import { createElement } from 'react';
import { createRoot } from 'react-dom/client';

/* The least that React can show: what `npm run bench lcp` compares our prerendered pages with. */
const root = document.getElementById('root');
if (root !== null)
  createRoot(root).render(
    createElement(
      'main',
      null,
      createElement('h1', null, 'Dzień dobry'),
      createElement('p', null, 'Nie masz nowych dokumentów. Wszystko, co otrzymujesz, jest tutaj.'),
      createElement('button', { type: 'button' }, 'Dokumenty otrzymane'),
    ),
  );
