import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { page } from 'vitest/browser';
import { catalogue } from '#desktop/desktop.fixture.tsx';
import { createDesktop, type Desktop } from '#desktop/desktop.store.ts';
import { show } from '#kit/render.fixture.tsx';
import { currentAppearance } from '#platform/appearance.ts';
import { on, type PortalEvents } from '#platform/events.ts';
import { freshTab } from '#platform/page.fixture.tsx';
import { useBesideOffer } from './useBesideOffer.ts';

const forgetChoices = (): void => {
  for (const name of ['arrangement', 'offered']) document.cookie = `${name}=; Path=/; Max-Age=0`;
};

beforeEach(async () => {
  await page.viewport(1440, 900);
  await freshTab('EN');
  forgetChoices();
  onTestFinished(forgetChoices);
});

function Offering({ desktop }: { readonly desktop: Desktop }) {
  useBesideOffer(desktop, true);
  return null;
}

const open = () => {
  const desktop = createDesktop({ catalogue });
  desktop.geometry.setSurface({ width: 1440, height: 780 }, { width: 1440, height: 900 });
  const offers: PortalEvents['alert'][] = [];
  onTestFinished(on('alert', (alert) => offers.push(alert)));
  show(<Offering desktop={desktop} />);
  return { desktop, offers };
};

test('documents beside their list are offered when a second window covers the first, and only once', () => {
  const { desktop, offers } = open();
  desktop.open('received');
  expect(offers).toEqual([]);
  desktop.open('document', { id: 'a' });
  expect(offers).toMatchObject([{ tone: 'info', action: { label: 'Beside the list' } }]);
  const next = open();
  next.desktop.open('received');
  next.desktop.open('document', { id: 'a' });
  expect(next.offers).toEqual([]);
});

test('who takes the offer has both windows side by side at once, and every later document', () => {
  const { desktop, offers } = open();
  desktop.open('received');
  desktop.open('document', { id: 'a' });
  offers[0]?.action?.run();
  expect(['received', 'document:a'].map((id) => desktop.geometry.findPlace(id)?.zone)).toEqual(['left', 'right']);
  expect(currentAppearance('arrangement')).toBe('beside');
});
