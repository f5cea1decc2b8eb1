import { useEffect } from 'react';
import { createRoot } from 'react-dom/client';
import { Announcer } from '#kit/feedback/Announcer.tsx';
import { speak } from '#platform/language.ts';
import { createDesktop } from '../desktop.store.ts';
import { Desktop } from '../Desktop.tsx';
import { rows, windowCount } from './rows.ts';

/** Read by the bench after the drag. */
const countRender = () => {
  const { dataset } = document.documentElement;
  dataset['renders'] = String(Number(dataset['renders'] ?? 0) + 1);
};

function Rows() {
  useEffect(countRender);
  return (
    <table>
      <tbody>
        {rows.map((cells) => (
          <tr key={cells[0]}>
            {cells.map((cell) => (
              <td key={cell}>{cell}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

// Keys stand for the sentences.
await speak('PL', {});
const desktop = createDesktop({
  catalogue: [{ kind: 'rows', title: ({ id }) => `Okno ${id}`, icon: 'tray-arrow-down', single: false, render: Rows }],
  // As in the product: what is kept costs something, too.
  keep: { storage: sessionStorage, user: 'bench' },
});
createRoot(document.body.appendChild(document.createElement('div'))).render(
  <>
    <Desktop desktop={desktop} toolbar={null} tiles={null} dashboard={null} />
    <Announcer />
  </>,
);
for (let i = 1; i <= windowCount; i++) desktop.open('rows', { id: String(i) });
