import { beforeEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { freshTab } from '#platform/page.fixture.tsx';
import { show } from '#kit/render.fixture.tsx';
import { ListFrame } from './ListFrame.tsx';
import { useFiltersDrawer } from './useFiltersDrawer.ts';

beforeEach(async () => {
  await page.viewport(1280, 800);
  await freshTab('EN');
});

/** How the rows were rendered, time by time, in a window of this width. */
const rowsIn = (width: number) => {
  const told: string[] = [];
  function Rows({ phone, filters }: { readonly phone: boolean; readonly filters: boolean }) {
    told.push(`${phone ? 'list of a phone' : 'table'}${filters ? ' beside filters' : ''}`);
    return null;
  }
  function List() {
    const drawer = useFiltersDrawer({ openFromPx: 1_000 });
    return (
      <ListFrame
        drawer={drawer}
        search={{ label: 'Search', text: '', onSearch: () => undefined }}
        filters={null}
        filterCount={0}
        chips={null}
      >
        <Rows phone={drawer.phone} filters={drawer.isOpen} />
      </ListFrame>
    );
  }
  show(
    <div style={{ width }}>
      <List />
    </div>,
  );
  return [...new Set(told)];
};

test.each([
  [500, 'list of a phone'],
  [800, 'table'],
  [1_100, 'table beside filters'],
])('in a window of %i px the rows are rendered from the first as a %s', (width, rendered) => {
  expect(rowsIn(width)).toEqual([rendered]);
});
