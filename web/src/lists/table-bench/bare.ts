import { listLimits } from '@pergamin/contract';
import { rows } from './rows.ts';

/* The least there is: a table of the same texts, written into its cells. No seals, boxes, buttons, links. */

const keys = ['GROUP', 'FILE_NAME', 'ACCOUNT_NUMBER', 'CASE', 'REG_DATE', 'START', 'END'] as const;
const size = listLimits.maxPageSize;
document.documentElement.style.overflow = 'auto';

// Its buttons have the names of the list's, so that one bench presses both.
const bar = document.body.appendChild(document.createElement('div'));
const table = document.body.appendChild(document.createElement('table'));
table.style.cssText = 'table-layout: fixed; width: 100%';
const lines = [undefined, ...rows.slice(0, size)].map(() => {
  const line = table.insertRow();
  return { texts: keys.map(() => line.insertCell().appendChild(document.createTextNode(''))) };
});
let page = 0;
const write = (): void => {
  for (const [index, { texts }] of lines.entries()) {
    const row = rows[page * size + index - 1];
    for (const [at, text] of texts.entries()) text.data = index === 0 ? (keys[at] ?? '') : String(row?.metadata[keys[at] ?? ''] ?? '');
  }
};
for (const name of ['list.nextPage', 'Sprawa']) {
  const button = bar.appendChild(document.createElement('button'));
  button.textContent = name;
  button.addEventListener('click', () => {
    page = (page + 1) % (rows.length / size);
    write();
  });
}
write();
