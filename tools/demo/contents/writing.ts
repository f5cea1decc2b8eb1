import type { Block, Letterhead } from '../layout/blocks.ts';
import type { Family } from '../layout/typefaces.ts';
import { longDay } from '../calendar.ts';
import type { Customer } from '../people.ts';
import { gender } from '../people.ts';

/** A document before it is set on pages. */
export interface Writing {
  title: string;
  subject: string;
  family: Family;
  letterhead: Letterhead;
  blocks: readonly Block[];
}

export interface Occasion {
  customer: Customer;
  day: Date;
  caseNumber: string;
}

export function serifWriting(
  occasion: { day: Date; caseNumber?: string },
  written: { title: string; subject: string; blocks: readonly Block[] },
): Writing {
  const number = occasion.caseNumber === undefined ? [] : [`Nr sprawy ${occasion.caseNumber}`];
  return {
    ...written,
    family: 'serif',
    letterhead: { right: [`Gdańsk, ${longDay(occasion.day)}`, ...number], running: written.title },
  };
}

/** The parties of an agreement; `role` is how the client is called in it, in the instrumental case. */
export function parties(customer: Customer, role: string): Block {
  return {
    kind: 'paragraph',
    text:
      '**Bankiem Wiślanym Spółką Akcyjną** z siedzibą w Gdańsku, ul. Nadbrzeżna 12, 80-001 Gdańsk, zwaną dalej „Bankiem”, ' +
      `a ${titleWord(customer)} **${customer.withTitle.slice(titleWord(customer).length + 1)}**, ${customer.residing}, ${customer.street}, ${customer.town}, ` +
      `numer klienta ${customer.client.cif}, ${gender(customer, 'zwaną', 'zwanym')} dalej „${role}”.`,
  };
}

export function signatures(customer: Customer): Block {
  return { kind: 'signatures', left: 'w imieniu Banku Wiślanego S.A.', right: customer.name };
}

function titleWord(customer: Customer): string {
  return gender(customer, 'Panią', 'Panem');
}
