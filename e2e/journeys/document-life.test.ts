import { expect, type Locator, test } from '@playwright/test';
import { createClient } from '../client.ts';
import { forEverybody } from '../combinations.ts';
import { aPaper, changeState, createPerson, publish } from '../publisher.ts';
import { watch } from '../watch.ts';

/** What a client sees of a document that the organisation replaces, cancels or deletes (R2, D19). */

const said = {
  PL: {
    badge: 'Anulowany',
    banner: 'Ten dokument został anulowany',
    history: 'Zmiana stanu: Aktywny → Anulowany',
    details: 'Szczegóły dokumentu',
    close: 'Zamknij',
    gone: 'Dokument nie istnieje lub został usunięty',
  },
  EN: {
    badge: 'Cancelled',
    banner: 'This document was cancelled',
    history: 'Its state changed: Active → Cancelled',
    details: 'Document details',
    close: 'close',
    gone: 'The document does not exist or was deleted',
  },
} as const;

const named = {
  obsolete: /jest już nieaktualny|no longer in force/i,
  newVersion: /otwórz nową wersję|open the new version/i,
  formerVersion: /otwórz poprzednią wersję|open the previous version/i,
  details: /szczegóły dokumentu|document details/i,
} as const;

forEverybody(
  'an obsolete document leads to its new version, and that one back',
  async ({ page, language, phone }) => {
    const looking = await watch(page);
    const client = createClient(page, language);
    const person = await createPerson();
    const paper = await aPaper(1);
    const former = await publish(paper, { cif: person.cif, name: 'Umowa karty.pdf', meta: {} });
    await publish(await aPaper(2), {
      cif: person.cif,
      name: 'Aneks karty.pdf',
      meta: {},
      replaces: former.id,
    });
    const windowNamed = (name: string): Locator => page.getByRole('region', { name, exact: true }).first();

    await client.startsAtTheDesk(person);
    await client.opensReceivedDocuments();
    await client.chooses('show', 'Umowa karty');
    await expect(windowNamed('Umowa karty').getByText(named.obsolete)).toBeVisible();
    await expect(windowNamed('Umowa karty').getByRole('img').first()).toBeVisible();
    await looking.screenIsAccessible('an obsolete document', { overlapping: !phone });
    await windowNamed('Umowa karty').getByRole('button', { name: named.newVersion }).click();
    const next = windowNamed('Aneks karty');
    await expect(next.getByRole('img').first()).toBeVisible();
    await next.getByRole('button', { name: named.details }).click();
    await expect(page.getByRole('button', { name: named.formerVersion })).toBeVisible();
    await looking.screenIsAccessible('its new version', { overlapping: !phone });
    looking.nothingWentWrong();
  },
  { byDay: 'EN, light, phone' },
);

forEverybody(
  'a cancelled document says so wherever it is seen, and a deleted one is gone',
  async ({ page, language, phone }) => {
    const words = said[language];
    const looking = await watch(page);
    const client = createClient(page, language);
    const person = await createPerson();
    const paper = await aPaper(1);
    const cancelled = await publish(paper, { cif: person.cif, name: 'Umowa karty.pdf', meta: {} });
    const deleted = await publish(await aPaper(2), { cif: person.cif, name: 'Aneks karty.pdf', meta: {} });
    await changeState(cancelled.id, 'CANCELLED');
    const windowNamed = (name: string): Locator => page.getByRole('region', { name, exact: true }).first();

    await client.startsAtTheDesk(person);
    await client.opensReceivedDocuments();
    await expect(client.rowOf('Umowa karty')).toContainText(words.badge);
    await expect(client.rowOf('Aneks karty')).not.toContainText(words.badge);

    await test.step('a document that was deleted since leaves the list', async () => {
      await changeState(deleted.id, 'DELETED');
      await client.chooses('show', 'Aneks karty');
      await expect(page.getByText(words.gone).first()).toBeVisible();
      await looking.screenIsAccessible('a deleted document', { overlapping: !phone });
      await page.getByRole('button', { name: words.close, exact: true }).last().click();
      await expect(client.rowOf('Umowa karty')).toBeVisible();
      await expect(client.rowOf('Aneks karty')).toHaveCount(0);
    });

    await test.step('a cancelled one is read, with its state', async () => {
      await client.chooses('show', 'Umowa karty');
      const window = windowNamed('Umowa karty');
      await expect(window.getByText(words.banner)).toBeVisible();
      await expect(window.getByRole('img').first()).toBeVisible();
      await window.getByRole('button', { name: words.details }).click();
      await expect(page.getByText(words.history)).toBeVisible();
      await expect(page.getByText(words.badge, { exact: true }).last()).toBeVisible();
      await looking.screenIsAccessible('a cancelled document', { overlapping: !phone });
    });
    // A list may ask for the row of the document before the next answer of the list has it no more.
    looking.nothingWentWrong(new RegExp(`^answer 404: GET .*/documents/data/${deleted.id}$|status of 404`));
  },
  { byDay: 'PL, light, desktop' },
);
