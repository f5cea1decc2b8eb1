export interface DemoCategory {
  id: string;
  name: { pl: string; en: string };
  /** Left out: kept indefinitely. */
  retentionDays?: number;
  types: { id: string; name: { pl: string; en: string } }[];
}

const year = 365;

/** Of each category its id, names and years of keeping (none: indefinitely), then its types. */
const rows: readonly (readonly [
  id: string,
  pl: string,
  en: string,
  years: number | undefined,
  ...types: readonly (readonly string[])[],
])[] = [
  [
    'COMPLAINTS',
    'Reklamacje',
    'Complaints',
    6,
    ['COMPLAINT_ACCOUNT', 'Reklamacja dotycząca rachunku', 'Complaint about an account'],
    ['COMPLAINT_CARD', 'Reklamacja transakcji kartą', 'Complaint about a card payment'],
    ['COMPLAINT_APPEAL', 'Odwołanie od decyzji', 'Appeal against a decision'],
  ],
  [
    'LOANS',
    'Kredyty i pożyczki',
    'Loans',
    10,
    ['LOAN_APPLICATION', 'Wniosek kredytowy', 'Loan application'],
    ['LOAN_INCOME', 'Zaświadczenie o dochodach', 'Certificate of income'],
    ['LOAN_VALUATION', 'Operat szacunkowy nieruchomości', 'Property valuation'],
    ['LOAN_REPAYMENT', 'Dyspozycja wcześniejszej spłaty', 'Order of early repayment'],
  ],
  [
    'INSURANCE',
    'Ubezpieczenia',
    'Insurance',
    10,
    ['INSURANCE_CLAIM', 'Zgłoszenie szkody', 'Notice of a claim'],
    ['INSURANCE_POLICY', 'Polisa', 'Policy'],
    ['INSURANCE_TERMINATION', 'Wypowiedzenie umowy ubezpieczenia', 'Termination of an insurance contract'],
  ],
  [
    'ACCOUNTS',
    'Rachunki i karty',
    'Accounts and cards',
    6,
    ['ACCOUNT_ORDER', 'Dyspozycja do rachunku', 'Order concerning an account'],
    ['ACCOUNT_ATTORNEY', 'Pełnomocnictwo', 'Power of attorney'],
    ['ACCOUNT_TERMINATION', 'Wypowiedzenie umowy', 'Termination of a contract'],
  ],
  [
    'CLIENT_DATA',
    'Dane osobowe',
    'Personal data',
    undefined,
    ['DATA_CHANGE', 'Zmiana danych', 'Change of data'],
    ['DATA_TAX', 'Oświadczenie o rezydencji podatkowej', 'Declaration of tax residence'],
  ],
  ['OTHER', 'Inne', 'Other', 3, ['OTHER_LETTER', 'Pismo do banku', 'Letter to the bank']],
];

/** What the bank's clients may send to it. */
export const demoCategories: DemoCategory[] = rows.map(([id, pl, en, years, ...types]) => ({
  id,
  name: { pl, en },
  ...(years === undefined ? {} : { retentionDays: years * year }),
  types: types.map(([typeId = '', typePl = '', typeEn = '']) => ({ id: typeId, name: { pl: typePl, en: typeEn } })),
}));
