import { expect, test, type Locator, type Page } from '@playwright/test';
import { notificationLimits } from '@pergamin/contract';
import { createClient } from '../client.ts';
import { byDayOn, isNight } from '../due.ts';
import { createKeyboard } from '../keyboard.ts';
import { aPaper, createPerson, publish } from '../publisher.ts';
import { watch } from '../watch.ts';

const windowNamed = (page: Page, name: string | RegExp): Locator => page.getByRole('region', { name }).first();
const bell = (page: Page, name: string): Locator => page.getByRole('button', { name, exact: true });

test(
  'the desk: news on the bell, the account, what is new, the palette and links',
  { tag: byDayOn('desktop') },
  async ({ page, isMobile }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    const looking = await watch(page);
    const client = createClient(page);
    const keys = createKeyboard(page);
    const person = await createPerson({ email: 'ewa.probna@poczta.example' });
    const name = 'Umowa kredytu KH-2026-04417';
    const toTheDesk = async (): Promise<void> => (isMobile ? client.goesBackToTheDesk() : undefined);

    await page.clock.install();
    await client.startsAtTheDesk(person);

    await test.step('a control that is pointed at says its name', async () => {
      await bell(page, 'Powiadomienia').hover();
      await expect(page.getByText('Powiadomienia', { exact: true })).toBeVisible();
    });

    await test.step('a document that is published is told by the bell and opened from it', async () => {
      await publish(await aPaper(1), { cif: person.cif, name: `${name}.pdf`, meta: { REG_DATE: '2026-11-18' } });
      await page.clock.fastForward(notificationLimits.refreshMs);
      await expect(bell(page, 'Powiadomienia: 1 nieprzeczytane')).toBeVisible();
      await expect(page.getByText('Dostępne są nowe dokumenty', { exact: true })).toBeVisible();
      await client.dismissesMessages();
      await bell(page, 'Powiadomienia: 1 nieprzeczytane').click();
      await expect(page.getByText('Masz 1 nowy dokument.')).toBeVisible();
      const panel = page.getByRole('dialog', { name: 'Powiadomienia' });
      await expect(panel.getByText('Opublikowano nowy dokument')).toBeVisible();
      await panel.getByRole('button', { name: new RegExp(`^${name}`) }).click();
      await expect(panel).toBeHidden();
      await expect(windowNamed(page, name).getByRole('img').first()).toBeVisible();
      await expect(page).toHaveTitle(`${name} · Pergamin`);
      await toTheDesk();
      await expect(bell(page, 'Powiadomienia')).toBeVisible();
      await bell(page, 'Powiadomienia').click();
      await expect(panel.getByText('Brak powiadomień')).toBeVisible();
      await page.keyboard.press('Escape');
      await expect(bell(page, 'Powiadomienia')).toBeFocused();
    });

    await test.step('the channel of news is chosen in the account', async () => {
      await client.choosesInTheAccountMenu('Konto użytkownika');
      const account = windowNamed(page, 'Konto użytkownika');
      const save = account.getByRole('button', { name: 'Zapisz' });
      await expect(account.getByText('ewa.probna@poczta.example')).toBeVisible();
      await expect(save).toHaveAttribute('aria-disabled', 'true');
      await expect(account.getByText('Nie mamy Twojego numeru telefonu')).toBeVisible();
      await account.getByRole('radio', { name: 'E-mail' }).check();
      await save.click();
      await expect(page.getByText('Zapisano pomyślnie')).toBeVisible();
      await expect(account).toBeHidden();
      await client.dismissesMessages();
      await client.choosesInTheAccountMenu('Konto użytkownika');
      await expect(account.getByRole('radio', { name: 'E-mail' })).toBeChecked();
      await account.getByRole('button', { name: 'Anuluj' }).click();
      await expect(account).toBeHidden();
    });

    // By day `accessibility-desk` opens these.
    const atNight = isNight ? test.step : () => undefined;
    await atNight('what is new, and every shortcut', async () => {
      await client.choosesInTheAccountMenu('Co nowego');
      const news = windowNamed(page, 'Co nowego');
      await expect(news.getByRole('heading', { level: 3 }).first()).toBeVisible();
      await expect(news.getByText(/^wersja \d/).last()).toBeVisible();
      await news.getByRole('button', { name: 'Zamknij', exact: true }).click();
      await expect(news).toBeHidden();
      await client.choosesInTheAccountMenu('Skróty klawiszowe');
      await expect(page.getByRole('dialog', { name: 'Skróty klawiszowe' })).toBeVisible();
      await page.keyboard.press('Escape');
    });

    await atNight('the palette finds the document', async () => {
      await toTheDesk();
      if (isMobile) {
        await client.opensTheMenu();
        await page.getByRole('button', { name: 'Szukaj wszędzie' }).click();
      } else await keys.press('Control+k');
      const palette = page.getByRole('combobox', { name: 'Szukaj wszędzie' });
      await expect(palette).toBeFocused();
      await keys.type('kredyt');
      const found = page.getByRole('group', { name: 'Dokumenty' }).getByRole('option', { name: new RegExp(`^${name}`) });
      await expect(found).toBeVisible();
      if (isMobile) await found.click();
      else {
        await keys.seesTheFocus();
        await expect(async () => {
          await keys.press('ArrowDown');
          await expect(found).toHaveAttribute('aria-selected', 'true', { timeout: 300 });
        }).toPass({ timeout: 10_000 });
        await keys.press('Enter');
      }
      await expect(windowNamed(page, name).getByRole('img').first()).toBeVisible();
    });
    looking.nothingWentWrong();

    await test.step('a link opens its window; one that leads nowhere says so calmly', async () => {
      await page.goto('/#open=whats-new');
      await expect(windowNamed(page, 'Co nowego')).toBeVisible();
      await expect(page).toHaveTitle('Co nowego · Pergamin');
      await page.goto('/#open=document:6f1b7a32-0000-4000-8000-000000000000');
      await expect(page.getByRole('heading', { name: 'Dokument nie istnieje lub został usunięty' })).toBeVisible();
      await page.goto('/#open=nothing-of-ours');
      await expect(page.getByRole('status').getByText('Nie znaleziono')).toBeVisible();
    });
  },
);
