import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { freshTab } from '#platform/page.fixture.tsx';
import { keepDeepLink, takeDeepLink } from './kept-deep-link.ts';
import { windowCatalogue } from './window-catalogue.tsx';

const arriveAt = (hash: string) => {
  const before = location.href;
  history.replaceState(null, '', `/${hash}`);
  onTestFinished(() => history.replaceState(null, '', before));
  keepDeepLink();
};

beforeEach(() => freshTab());

test('a link is taken out of the address and survives the sign-in', () => {
  arriveAt('#open=document:6F1B7A32-0000-4000-8000-000000000001');
  expect(location.hash).toBe('');
  expect(takeDeepLink()).toEqual({ kind: 'document', id: '6F1B7A32-0000-4000-8000-000000000001' });
});

test('a link is followed once', () => {
  arriveAt('#open=received');
  expect(takeDeepLink()).toEqual({ kind: 'received' });
  expect(takeDeepLink()).toBeUndefined();
});

test('every window has an address, but the statute, which comes by itself', () => {
  const id = '6f1b7a32-0000-4000-8000-000000000001';
  for (const { kind, single } of windowCatalogue().filter((window) => !['statute', 'upcoming-statute'].includes(window.kind))) {
    arriveAt(single ? `#open=${kind}` : `#open=${kind}:${id}`);
    expect(takeDeepLink()).toEqual(single ? { kind } : { kind, id });
  }
});

test('a kind or an id that is none of ours is answered calmly', () => {
  for (const hash of ['#open=statute', '#open=payments', '#open=document', '#open=document:1', '#open=document:%3Cscript%3E', '#open=']) {
    arriveAt(hash);
    expect([hash, takeDeepLink()]).toEqual([hash, 'unknown']);
  }
});

test('any other fragment is left alone', () => {
  arriveAt('#elsewhere');
  expect(location.hash).toBe('#elsewhere');
  expect(takeDeepLink()).toBeUndefined();
});
