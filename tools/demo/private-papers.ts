import { addDays, isoDay, monthNumber } from './calendar.ts';
import {
  accountAgreement,
  cardAgreement,
  cashLoanAgreement,
  depositAgreement,
  mortgageAgreement,
  onlineBankingAgreement,
} from './contents/agreements.ts';
import type { LoanTerms } from './contents/agreements.ts';
import { letter } from './contents/letters.ts';
import type { LetterKind } from './contents/letters.ts';
import { caseNumber, loanAnnex, remainingTerms, repaymentSchedule } from './contents/loan-papers.ts';
import { insurancePolicy } from './contents/policies.ts';
import type { PolicyKind } from './contents/policies.ts';
import type { Occasion, Writing } from './contents/writing.ts';
import { fileNameOf, print, retentionDay } from './document.ts';
import type { DemoDocument, Stage } from './document.ts';
import type { Customer } from './people.ts';
import { createChance } from './seeded.ts';
import type { Chance } from './seeded.ts';

export type Paper =
  | { kind: 'account' }
  | { kind: 'online-banking' }
  | { kind: 'card' }
  | { kind: 'deposit' }
  | { kind: 'policy'; policy: PolicyKind }
  | { kind: 'letter'; letter: LetterKind }
  | LoanPaper;

type LoanPaper =
  | { kind: 'mortgage' | 'mortgage-schedule' | 'cash-loan' | 'cash-loan-schedule' }
  | { kind: 'annex'; number: number; reason: 'payment-day' | 'rate' | 'holiday' };

export interface PaperOrder {
  customer: Customer;
  /** Place among the client's papers: a part of the unique name and of the case number. */
  serial: number;
  daysAgo: number;
  paper: Paper;
  isRead: boolean;
  /** The agreement that a schedule or an annex belongs to; without it the paper belongs to no agreement. */
  agreement?: { serial: number; daysAgo: number };
}

export function privatePaper(stage: Stage, order: PaperOrder): DemoDocument {
  const { customer, daysAgo, paper } = order;
  const day = addDays(stage.today, -daysAgo);
  const product = productOf(paper);
  const ownNumber = numberOf(stage, order, product);
  const number = paper.kind.endsWith('-schedule') ? originOf(stage, order).caseNumber : ownNumber;
  const uniqueName = uniqueNameOf(order);
  const occasion: Occasion = { customer, day, caseNumber: number };
  return {
    uniqueName,
    fileName: fileNameOf(write(stage, order, occasion).title + (product.hasNumberedName === true ? ` ${number}` : '')),
    type: 'PRIVATE',
    cif: customer.client.cif,
    metadata: {
      REG_DATE: isoDay(day),
      PRIV_CASE_NUMBER: number,
      PRIV_DOC_PRODUCT_GROUP: product.group,
      ACCOUNT_NUMBER: customer.accounts[product.account],
      BAR_NUMBER: `5900${createChance(`${stage.seed}/bar/${uniqueName}`).digits(9)}`,
      RETENTION_DATE: retentionDay(day, product.years),
    },
    daysAgo,
    ...(order.isRead ? { readBy: [{ personalId: customer.client.personalId }] } : {}),
    pdf: () => print(stage, { uniqueName, daysAgo, writing: write(stage, order, occasion) }),
  };
}

interface Origin {
  caseNumber: string;
  day: Date;
}

/** Number and day of the agreement that a paper belongs to. */
function originOf(stage: Stage, order: PaperOrder): Origin {
  const agreement = { ...order, ...order.agreement };
  return { caseNumber: numberOf(stage, agreement, productOf(order.paper)), day: addDays(stage.today, -agreement.daysAgo) };
}

function numberOf(stage: Stage, order: PaperOrder, product: Product): string {
  const serial = createChance(`${stage.seed}/${uniqueNameOf(order)}`).between(100, 9800);
  return caseNumber(product.prefix, addDays(stage.today, -order.daysAgo), serial);
}

function uniqueNameOf(order: PaperOrder): string {
  return `DEMO-${order.customer.client.personalId}-${String(order.serial).padStart(4, '0')}`;
}

interface Product {
  prefix: string;
  group: string;
  account: keyof Customer['accounts'];
  years: number;
  hasNumberedName?: boolean;
}

function productOf(paper: Paper): Product {
  if (paper.kind === 'letter') return { prefix: 'PI', ...letterProducts[paper.letter], years: 5, hasNumberedName: true };
  return products[paper.kind];
}

const mortgage: Product = { prefix: 'KH', group: 'MORTGAGES', account: 'loan', years: 10 };
const cashLoan: Product = { prefix: 'KG', group: 'CASH_LOANS', account: 'loan', years: 10, hasNumberedName: true };

const products: Record<Exclude<Paper['kind'], 'letter'>, Product> = {
  mortgage,
  annex: mortgage,
  'mortgage-schedule': { ...mortgage, hasNumberedName: true },
  'cash-loan': cashLoan,
  'cash-loan-schedule': cashLoan,
  policy: { prefix: 'UB', group: 'INSURANCE', account: 'current', years: 10 },
  card: { prefix: 'KK', group: 'CARDS', account: 'card', years: 6 },
  deposit: { prefix: 'LT', group: 'DEPOSITS', account: 'savings', years: 6, hasNumberedName: true },
  'online-banking': { prefix: 'BE', group: 'E_BANKING', account: 'current', years: 6 },
  account: { prefix: 'RR', group: 'ACCOUNTS', account: 'current', years: 6 },
};

const letterProducts: Record<LetterKind, Pick<Product, 'group' | 'account'>> = {
  'rate-change': { group: 'MORTGAGES', account: 'loan' },
  'balance-certificate': { group: 'ACCOUNTS', account: 'current' },
  'complaint-answer': { group: 'CORRESPONDENCE', account: 'current' },
  'tariff-change': { group: 'CORRESPONDENCE', account: 'current' },
  'fee-statement': { group: 'ACCOUNTS', account: 'current' },
  'card-renewal': { group: 'CARDS', account: 'card' },
  'deposit-maturity': { group: 'DEPOSITS', account: 'savings' },
  'payment-reminder': { group: 'CORRESPONDENCE', account: 'loan' },
  'data-change': { group: 'CORRESPONDENCE', account: 'current' },
  'interest-certificate': { group: 'MORTGAGES', account: 'loan' },
};

function write(stage: Stage, order: PaperOrder, occasion: Occasion): Writing {
  const { paper } = order;
  const chance = createChance(`${stage.seed}/terms/${occasion.caseNumber}`);
  if (paper.kind === 'online-banking') return onlineBankingAgreement(occasion);
  if (paper.kind === 'card') return cardAgreement(occasion, chance.between(5, 15) * 100_000);
  if (paper.kind === 'policy') return insurancePolicy(occasion, paper.policy);
  if (paper.kind === 'letter') return letter(occasion, paper.letter);
  if (paper.kind === 'deposit') return depositAgreement(occasion, depositTerms(chance));
  if (paper.kind === 'account') return accountAgreement(occasion);
  return writeLoanPaper(stage, paper, { occasion, origin: originOf(stage, order) });
}

function writeLoanPaper(stage: Stage, paper: LoanPaper, { occasion, origin }: { occasion: Occasion; origin: Origin }): Writing {
  // The terms follow from the agreement's number: its schedule and annexes speak of the same loan.
  const chance = createChance(`${stage.seed}/loan/${origin.caseNumber}`);
  const mortgage: LoanTerms = {
    grosze: chance.between(260, 520) * 100_000,
    months: chance.pick([240, 300, 360]),
    rate: chance.between(610, 720),
  };
  const cash: LoanTerms = { grosze: chance.between(8, 60) * 100_000, months: chance.pick([24, 36, 48]), rate: chance.between(890, 1090) };
  const remaining = remainingTerms(mortgage, monthNumber(occasion.day) - monthNumber(origin.day));
  const original = { ...occasion, caseNumber: origin.caseNumber };
  switch (paper.kind) {
    case 'mortgage':
      return mortgageAgreement(original, mortgage);
    case 'mortgage-schedule':
      return repaymentSchedule(original, { ...remaining, shownMonths: 60 });
    case 'cash-loan':
      return cashLoanAgreement(original, cash);
    case 'cash-loan-schedule':
      return repaymentSchedule(original, { ...cash, shownMonths: cash.months });
    case 'annex': {
      const loan = paper.reason === 'rate' ? { ...remaining, rate: chance.between(560, 610) } : remaining;
      return loanAnnex(occasion, { ...paper, agreementDay: origin.day, agreementNumber: origin.caseNumber, loan });
    }
    default:
      return paper satisfies never;
  }
}

function depositTerms(chance: Chance): LoanTerms {
  return { grosze: chance.between(5, 60) * 100_000, months: chance.pick([3, 6, 12]), rate: chance.between(350, 520) };
}
