// Builds the one icon sprite (design/icons.svg) and the type of its names from @phosphor-icons/core (MIT).
// Add a name below, then: node tools/build-icons.mjs
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

// weight → names. Regular for controls, bold for carets and ticks, duotone for tiles and files, fill for states and the selected tab.
const wanted = {
  regular: [
    'arrow-clockwise',
    'arrow-left',
    'arrow-line-down',
    'arrow-line-up',
    'arrow-square-out',
    'arrows-in-simple',
    'arrows-out-cardinal',
    'arrows-out-simple',
    'bank',
    'bell',
    'bookmark-simple',
    'briefcase',
    'calendar-blank',
    'caret-down',
    'caret-left',
    'caret-right',
    'caret-up',
    'caret-line-left',
    'caret-line-right',
    'certificate',
    'chat-text',
    'check',
    'circle-half',
    'clock',
    'columns',
    'corners-in',
    'corners-out',
    'dots-three',
    'dots-three-vertical',
    'download-simple',
    'envelope-simple',
    'export',
    'eye',
    'eye-slash',
    'file-pdf',
    'file-text',
    'fingerprint',
    'folder-open',
    'frame-corners',
    'funnel-simple',
    'hash',
    'info',
    'keyboard',
    'key',
    'link-simple',
    'list',
    'lock-key',
    'magnifying-glass',
    'minus',
    'monitor',
    'moon',
    'newspaper',
    'paper-plane-tilt',
    'password',
    'person-simple-circle',
    'plus',
    'printer',
    'question',
    'receipt',
    'rows',
    'seal-check',
    'shield-check',
    'sidebar-simple',
    'sign-in',
    'sign-out',
    'sort-descending',
    'square-half',
    'squares-four',
    'sun',
    'trash',
    'translate',
    'tray-arrow-down',
    'upload-simple',
    'user-circle',
    'warning',
    'warning-circle',
    'wifi-slash',
    'x',
  ],
  bold: ['arrow-down', 'arrow-up', 'caret-down', 'caret-left', 'caret-right', 'caret-up', 'check', 'minus', 'x'],
  duotone: [
    'bank',
    'cloud-slash',
    'file-pdf',
    'file-text',
    'file-x',
    'magnifying-glass',
    'newspaper',
    'paper-plane-tilt',
    'receipt',
    'scroll',
    'seal-check',
    'tray-arrow-down',
    'upload-simple',
    'user-circle',
    'warning',
  ],
  fill: [
    'bank',
    'bell',
    'bookmark-simple',
    'check-circle',
    'clock',
    'file-text',
    'info',
    'newspaper',
    'paper-plane-tilt',
    'person-simple-circle',
    'receipt',
    'scroll',
    'seal-check',
    'tray-arrow-down',
    'upload-simple',
    'user-circle',
    'warning',
    'warning-circle',
    'x-circle',
  ],
};

const root = new URL('..', import.meta.url);
const assets = join(
  dirname(createRequire(new URL('../web/package.json', import.meta.url)).resolve('@phosphor-icons/core')),
  '..',
  'assets',
);

const names = [];
let symbols = '';
for (const [weight, icons] of Object.entries(wanted)) {
  for (const icon of icons) {
    const id = weight === 'regular' ? icon : `${icon}-${weight}`;
    const drawing = readFileSync(join(assets, weight, `${id}.svg`), 'utf8');
    const inner = /<svg[^>]*>(.*)<\/svg>/s.exec(drawing)?.[1];
    if (!inner) throw new Error(`No drawing in ${id}.svg`);
    symbols += `<symbol id="${id}" viewBox="0 0 256 256">${inner}</symbol>\n`;
    names.push(id);
  }
}

writeFileSync(new URL('design/icons.svg', root), `<svg xmlns="http://www.w3.org/2000/svg">\n${symbols}</svg>\n`);
writeFileSync(
  new URL('web/src/kit/icons/icon-names.generated.ts', root),
  `// Written by tools/build-icons.mjs: the symbols of design/icons.svg.\nexport type IconName =\n${names
    .sort()
    .map((name) => `  | '${name}'`)
    .join('\n')}\n`,
);
