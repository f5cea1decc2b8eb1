import { addDays, daysBetween, isoDay, monthNumber } from './calendar.ts';
import { letterKinds } from './contents/letters.ts';
import { listFormerPapers, listPublicPapers, publicWriting, validity } from './contents/public-papers.ts';
import type { PublicPaper } from './contents/public-papers.ts';
import { fileNameOf, print } from './document.ts';
import type { DemoDocument, Stage } from './document.ts';
import { getCustomers } from './people.ts';
import type { Customer } from './people.ts';
import { privatePaper } from './private-papers.ts';
import type { Paper } from './private-papers.ts';
import { createChance } from './seeded.ts';
import { annualStatement, statementSeries } from './statement-series.ts';

/** All documents of the demonstration, in the order of their worth to a newcomer. */
export function* listInOrder(stage: Stage): Generator<DemoDocument> {
  const [anna, piotr, malgorzata] = getCustomers(stage.seed);
  const annasPapers = papersOf(stage, { customer: anna, plan: [...annasPlan, ...annasLetters], readFrom: 9 });
  const annasStatements = [
    annualStatement(stage, { customer: anna, yearsBack: 1 }),
    ...statementSeries(stage, { customer: anna, kind: 'MONTHLY', months: 17, operations: [24, 64], readAfterDays: 70 }),
    ...statementSeries(stage, { customer: anna, kind: 'CARD', months: 8, operations: [10, 34], readAfterDays: 100 }),
    ...statementSeries(stage, { customer: anna, kind: 'SAVINGS', months: 4, operations: [4, 12] }),
  ];
  const malgorzatas = documentsOfThird(stage, malgorzata);
  yield* annasPapers.slice(0, 18);
  yield* annasStatements.slice(0, 8);
  yield* papersOf(stage, { customer: piotr, plan: piotrsPlan, readFrom: Number.POSITIVE_INFINITY });
  yield* publicPapers(stage, listPublicPapers(), 1);
  yield* malgorzatas.slice(0, 10);
  yield* annasPapers.slice(18);
  yield* annasStatements.slice(8);
  yield* publicPapers(stage, listFormerPapers(), 1 + listPublicPapers().length);
  yield* malgorzatas.slice(10);
}

type Plan = readonly (readonly [daysAgo: number, paper: Paper])[];

const annasPlan: Plan = [
  [1, { kind: 'annex', number: 3, reason: 'payment-day' }],
  [2, { kind: 'letter', letter: 'rate-change' }],
  [4, { kind: 'mortgage-schedule' }],
  [6, { kind: 'policy', policy: 'home' }],
  [8, { kind: 'letter', letter: 'complaint-answer' }],
  [11, { kind: 'deposit' }],
  [15, { kind: 'cash-loan' }],
  [15, { kind: 'cash-loan-schedule' }],
  [19, { kind: 'letter', letter: 'tariff-change' }],
  [24, { kind: 'card' }],
  [33, { kind: 'letter', letter: 'balance-certificate' }],
  [41, { kind: 'policy', policy: 'travel' }],
  [58, { kind: 'letter', letter: 'card-renewal' }],
  [75, { kind: 'annex', number: 2, reason: 'rate' }],
  [96, { kind: 'online-banking' }],
  [120, { kind: 'policy', policy: 'life' }],
  [1130, { kind: 'mortgage' }],
  [1190, { kind: 'account' }],
  [140, { kind: 'deposit' }],
  [171, { kind: 'letter', letter: 'deposit-maturity' }],
  [377, { kind: 'policy', policy: 'home' }],
  [640, { kind: 'annex', number: 1, reason: 'holiday' }],
];

/** Letters of three years, so that every period of the filter has something to show. */
const annasLetters: Plan = Array.from({ length: 22 }, (_, index) => [
  130 + index * 47,
  { kind: 'letter', letter: letterKinds[index % letterKinds.length] ?? 'data-change' },
]);

const piotrsPlan: Plan = [
  [0, { kind: 'account' }],
  [0, { kind: 'online-banking' }],
  [1, { kind: 'card' }],
  [2, { kind: 'letter', letter: 'data-change' }],
  [3, { kind: 'cash-loan' }],
  [3, { kind: 'cash-loan-schedule' }],
  [5, { kind: 'policy', policy: 'travel' }],
  [9, { kind: 'deposit' }],
  [14, { kind: 'letter', letter: 'tariff-change' }],
  [22, { kind: 'letter', letter: 'balance-certificate' }],
  [30, { kind: 'letter', letter: 'card-renewal' }],
  [37, { kind: 'letter', letter: 'payment-reminder' }],
];

function papersOf(stage: Stage, { customer, plan, readFrom }: { customer: Customer; plan: Plan; readFrom: number }): DemoDocument[] {
  const findAgreement = (kind: Paper['kind']): { agreement?: { serial: number; daysAgo: number } } => {
    const index = plan.findIndex(([, paper]) => paper.kind === kind);
    const daysAgo = plan[index]?.[0];
    return daysAgo === undefined ? {} : { agreement: { serial: index + 1, daysAgo } };
  };
  return plan.map(([daysAgo, paper], index) => {
    const isRead = index >= readFrom && index % 7 !== 0;
    const base = agreementBehind[paper.kind];
    return privatePaper(stage, { customer, serial: index + 1, daysAgo, paper, isRead, ...(base === undefined ? {} : findAgreement(base)) });
  });
}

const agreementBehind: Partial<Record<Paper['kind'], Paper['kind']>> = {
  annex: 'mortgage',
  'mortgage-schedule': 'mortgage',
  'cash-loan-schedule': 'cash-loan',
};

const thirdTotal = 500;
const thirdStatements = 300;
const firstDay = new Date(Date.UTC(2018, 0, 1));

/** Five hundred small documents from 2018 to the present day. */
function documentsOfThird(stage: Stage, customer: Customer): DemoDocument[] {
  const monthsSince2018 = monthNumber(stage.today) - monthNumber(firstDay);
  const months = Math.min(monthsSince2018, thirdStatements);
  const savings = Math.min(months, thirdStatements - months);
  const cards = Math.min(months, thirdStatements - months - savings);
  const statements = [
    ...statementSeries(stage, { customer, kind: 'MONTHLY', months, operations: [6, 16], readAfterDays: 365 }),
    ...statementSeries(stage, { customer, kind: 'SAVINGS', months: savings, operations: [2, 5], readAfterDays: 365 }),
    ...statementSeries(stage, { customer, kind: 'CARD', months: cards, operations: [4, 12], readAfterDays: 365 }),
  ];
  const span = Math.max(1, daysBetween(firstDay, stage.today));
  const count = thirdTotal - statements.length;
  const letters = Array.from({ length: count }, (_, index) => {
    const chance = createChance(`${stage.seed}/letters/${customer.client.cif}/${index}`);
    const daysAgo = Math.floor((index * span) / count) + chance.between(0, Math.max(0, Math.floor(span / count) - 1));
    return privatePaper(stage, {
      customer,
      serial: index + 1,
      daysAgo,
      paper: { kind: 'letter', letter: chance.pick(letterKinds) },
      isRead: daysAgo > 365,
    });
  });
  return [...statements, ...letters].sort((a, b) => a.daysAgo - b.daysAgo);
}

function publicPapers(stage: Stage, papers: readonly PublicPaper[], firstNumber: number): DemoDocument[] {
  return papers.map((paper, index) => {
    const uniqueName = `DEMO-PUBLIC-${String(index + firstNumber).padStart(2, '0')}`;
    const day = addDays(stage.today, -paper.daysAgo);
    return {
      uniqueName,
      fileName: fileNameOf(paper.title),
      type: 'PUBLIC',
      metadata: {
        REG_DATE: isoDay(day),
        PUB_FILENAME: paper.title,
        PUB_DESC_DURATION_TIME: validity(paper, day),
        PUB_DOC_PRODUCT_GROUP: paper.group,
      },
      daysAgo: paper.daysAgo,
      pdf: () => print(stage, { uniqueName, daysAgo: paper.daysAgo, writing: publicWriting(paper, day) }),
    };
  });
}
