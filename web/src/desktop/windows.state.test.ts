import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  closeWindow,
  focusedId,
  focusWindow,
  maximiseWindow,
  noWindows,
  openWindow,
  restoreLayout,
  restoreWindow,
  retitleWindow,
  showDesk,
  type WindowsState,
} from './windows.state.ts';

type Step = { readonly act: 'open' | 'close' | 'focus' | 'maximise' | 'restore' | 'retitle' | 'desk' | 'statute'; readonly id: string };

const steps = fc.array(
  fc.record({
    act: fc.constantFrom<Step['act']>('open', 'close', 'focus', 'maximise', 'restore', 'retitle', 'desk', 'statute'),
    id: fc.constantFrom('a', 'b', 'c', 'd'),
  }),
  { maxLength: 40 },
);

function take(state: WindowsState, { act, id }: Step): WindowsState {
  if (act === 'open') return openWindow(state, { id, kind: 'document', params: { id } });
  if (act === 'statute') return openWindow(state, { id: 'statute', kind: 'statute', params: {}, locked: true });
  if (act === 'close') return closeWindow(state, id);
  if (act === 'focus') return focusWindow(state, id);
  if (act === 'maximise') return maximiseWindow(state, id);
  if (act === 'restore') return restoreWindow(state, id);
  if (act === 'retitle') return retitleWindow(state, id, 'Umowa');
  return showDesk(state, !state.deskShown);
}
const ids = (state: WindowsState) => state.windows.map((window) => window.id);

describe('the list of windows', () => {
  test('whatever is done, the order holds exactly the open windows and its last one has the focus', () => {
    fc.assert(
      fc.property(steps, (taken) => {
        const state = taken.reduce(take, noWindows);
        expect([...state.order].sort()).toEqual([...ids(state)].sort());
        expect(new Set(state.order).size).toBe(state.order.length);
        expect(focusedId(state)).toBe(state.deskShown ? undefined : state.order.at(-1));
      }),
    );
  });

  test('whatever is done, windows that stay open keep their place in the document', () => {
    fc.assert(
      fc.property(steps, (taken) => {
        let state = noWindows;
        for (const step of taken) {
          const next = take(state, step);
          const stayed = ids(next).filter((id) => ids(state).includes(id));
          expect(stayed).toEqual(ids(state).filter((id) => ids(next).includes(id)));
          state = next;
        }
      }),
    );
  });

  test('a window that is opened or focused has the focus, unless the statute is open', () => {
    fc.assert(
      fc.property(steps, fc.constantFrom('a', 'b'), (taken, id) => {
        const state = openWindow(taken.reduce(take, noWindows), { id, kind: 'document', params: {} });
        expect(focusedId(state)).toBe(ids(state).includes('statute') ? 'statute' : id);
        expect(focusedId(focusWindow(state, id))).toBe(focusedId(state));
      }),
    );
  });

  test('the statute can neither be covered nor put aside', () => {
    fc.assert(
      fc.property(steps, steps, (before, after) => {
        let state = openWindow(before.reduce(take, noWindows), { id: 'statute', kind: 'statute', params: {}, locked: true });
        for (const step of after) {
          state = take(state, step);
          expect(focusedId(state)).toBe('statute');
        }
      }),
    );
  });

  test('opening twice gives one window, brought to the front', () => {
    const two = openWindow(openWindow(noWindows, { id: 'a', kind: 'x', params: {} }), { id: 'b', kind: 'x', params: {} });
    const again = openWindow(two, { id: 'a', kind: 'x', params: { other: '1' } });
    expect(ids(again)).toEqual(['a', 'b']);
    expect(again.order).toEqual(['b', 'a']);
    expect(again.windows).toBe(two.windows);
  });

  test('nothing changes for a window that is not open, and the state stays the same object', () => {
    const state = openWindow(noWindows, { id: 'a', kind: 'x', params: {} });
    for (const step of [closeWindow, focusWindow, maximiseWindow, restoreWindow]) expect(step(state, 'none')).toBe(state);
    expect(retitleWindow(state, 'none', 'x')).toBe(state);
    expect(focusWindow(state, 'a')).toBe(state);
  });

  test('a broken order is healed: unknown ids go, forgotten windows go to the back', () => {
    const [a, b] = [
      { id: 'a', kind: 'x', params: {}, maximised: false, locked: false },
      { id: 'b', kind: 'x', params: {}, maximised: true, locked: false },
    ];
    const state = restoreLayout({ windows: [a, b, a], order: ['ghost', 'a', 'a'] });
    expect(ids(state)).toEqual(['a', 'b']);
    expect(state.order).toEqual(['b', 'a']);
  });
});
