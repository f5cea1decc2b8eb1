import { describe, expect, test } from 'vitest';
import { completeLanguage, findFaults } from './sentences.rules.ts';

const product = {
  'menu.logout': 'Log out',
  'mail.link': 'Open {{link}} until {{ time }}',
  'list.count_one': 'one document',
  'list.count_other': '{{count}} documents in {{folder}}',
  'brand.organisation': 'Bank',
  'language.name': 'English',
};

describe('a sentence of the installation', () => {
  test.each([
    ['menu.logout', 'Sign off'],
    ['menu.logout', '<b>Sign off</b>'],
    ['mail.link', 'Until {{time}}:\n{{- link}}'],
    ['list.count_one', 'a document in {{folder}}'],
    ['list.count_few', '{{count}} dokumenty w {{folder}}'],
  ])('%s: %j fits', (key, sentence) => {
    expect(findFaults({ product, own: { [key]: sentence } })).toEqual([]);
  });

  test.each([
    ['menu.logOut', 'Sign off', 'is no sentence of the product'],
    ['menu.logout_one', 'Sign off', 'is no sentence of the product'],
    ['__proto__', 'x', 'is no sentence of the product'],
    ['toString', 'x', 'is no sentence of the product'],
    ['menu.logout', 7, 'is not a text'],
    ['menu.logout', ' ', 'is not a text'],
    ['menu.logout', 'x'.repeat(4_001), 'has more than 4000 characters'],
    ['menu.logout', 'a\0b', 'holds characters that are no text'],
    ['menu.logout', '\ud800', 'holds characters that are no text'],
    ['menu.logout', '$t(menu.logout)', 'refers to another sentence, which is not done'],
    ['menu.logout', 'Good bye {{name}}', 'must have the placeholders none, and has {{name}}'],
    ['mail.link', 'Soon', 'must have the placeholders {{link}} {{time}}, and has none'],
    ['list.count_other', 'documents', 'must have the placeholders {{count}} {{folder}}, and has none'],
    ['brand.organisation', 'x', 'is the setting ORGANISATION_NAME'],
    ['brand.languages', 'x', 'is made of the names of the languages'],
    ['language.name', 'English\nDE x', 'is a name on one line, of up to 30 characters'],
  ])('%s: %j does not, and it is said why', (key, sentence, fault) => {
    const own: unknown = JSON.parse(`{${JSON.stringify(key)}: ${JSON.stringify(sentence)}}`);
    expect(findFaults({ product, own: own as Record<string, unknown> })).toEqual([`${JSON.stringify(key)} ${fault}`]);
  });
});

describe('a further language', () => {
  test('says in English what it lacks', () => {
    expect(completeLanguage(product, { 'menu.logout': 'Abmelden' })).toMatchObject({
      'menu.logout': 'Abmelden',
      'mail.link': product['mail.link'],
      'list.count_one': 'one document',
      'list.count_few': product['list.count_other'],
    });
  });

  test('a language with one plural form says all numbers in its own words', () => {
    const own = { 'list.count_other': '{{count}} Dokumente in {{folder}}' };
    const whole = completeLanguage(product, own);
    for (const form of ['one', 'two', 'few', 'many', 'other']) expect(whole[`list.count_${form}`]).toBe(own['list.count_other']);
  });
});
