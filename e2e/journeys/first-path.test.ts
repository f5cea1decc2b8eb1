import { expect, test } from '@playwright/test';
import { acceptTheTermsAhead } from '../arrival.ts';
import { createClient } from '../client.ts';
import { byDayOn, isNight, notDue } from '../due.ts';
import { aPaper, createPerson, publishWithCommand } from '../publisher.ts';
import { watch } from '../watch.ts';

for (const { language, theme, tag } of [
  { language: 'PL', theme: 'light', tag: byDayOn('desktop') },
  // By day `lists` and `sending` open and read on a phone.
  { language: 'EN', theme: 'dark', tag: [notDue.byDay] },
] as const) {
  test(
    `a document is published, its owner signs in, reads every page, and it is marked read (${language}, ${theme})`,
    { tag: [...tag] },
    async ({ page }) => {
      await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
      const looking = await watch(page);
      const person = await createPerson();
      const paper = await aPaper(3);
      const name = 'Umowa kredytu KH-2026-04417';
      const published = await publishWithCommand(paper, {
        cif: person.cif,
        name: `${name}.pdf`,
        meta: { PRIV_CASE_NUMBER: 'KH/2026/04417', REG_DATE: '2026-11-18' },
      });

      // By day `keyboard` accepts the terms on the way, and `viewer` looks at a document.
      if (!isNight) await acceptTheTermsAhead(person);
      const client = createClient(page, language);
      await client.opensTheSignInPage();
      await client.entersTheirId(person.personalId);
      await client.entersTheirPassword(person.password);
      if (isNight) await client.readsAndAcceptsTheStatute();

      await client.opensReceivedDocuments();
      await client.seesUnread(name);
      await client.chooses('show', name);
      await expect(page.getByRole('region', { name }).first()).toBeVisible();
      await expect(page.getByRole('region', { name }).getByRole('img').first()).toBeVisible();
      if (isNight) await looking.screenIsAccessible('the document');
      await client.readsToTheEnd(name);
      await client.seesRead(name);

      expect(await client.downloads(name)).toEqual({ sha256: published.sha256, name: `${name}.pdf` });
      await client.checks(name);
      await looking.screenIsAccessible('the list after the check');
      await client.logsOut();
      looking.nothingWentWrong();
    },
  );
}
