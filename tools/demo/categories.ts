export interface DemoCategory {
  id: string;
  name: { pl: string; en: string };
  /** Left out: kept indefinitely. */
  retentionDays?: number;
  types: { id: string; name: { pl: string; en: string } }[];
}

const named = (pl: string, en: string) => ({ pl, en });
const year = 365;

/** What the bank's clients may send to it. */
export const demoCategories: DemoCategory[] = [
  {
    id: 'COMPLAINTS',
    name: named('Reklamacje', 'Complaints'),
    retentionDays: 6 * year,
    types: [
      { id: 'COMPLAINT_ACCOUNT', name: named('Reklamacja dotycząca rachunku', 'Complaint about an account') },
      { id: 'COMPLAINT_CARD', name: named('Reklamacja transakcji kartą', 'Complaint about a card payment') },
      { id: 'COMPLAINT_APPEAL', name: named('Odwołanie od decyzji', 'Appeal against a decision') },
    ],
  },
  {
    id: 'LOANS',
    name: named('Kredyty i pożyczki', 'Loans'),
    retentionDays: 10 * year,
    types: [
      { id: 'LOAN_APPLICATION', name: named('Wniosek kredytowy', 'Loan application') },
      { id: 'LOAN_INCOME', name: named('Zaświadczenie o dochodach', 'Certificate of income') },
      { id: 'LOAN_VALUATION', name: named('Operat szacunkowy nieruchomości', 'Property valuation') },
      { id: 'LOAN_REPAYMENT', name: named('Dyspozycja wcześniejszej spłaty', 'Order of early repayment') },
    ],
  },
  {
    id: 'INSURANCE',
    name: named('Ubezpieczenia', 'Insurance'),
    retentionDays: 10 * year,
    types: [
      { id: 'INSURANCE_CLAIM', name: named('Zgłoszenie szkody', 'Notice of a claim') },
      { id: 'INSURANCE_POLICY', name: named('Polisa', 'Policy') },
      { id: 'INSURANCE_TERMINATION', name: named('Wypowiedzenie umowy ubezpieczenia', 'Termination of an insurance contract') },
    ],
  },
  {
    id: 'ACCOUNTS',
    name: named('Rachunki i karty', 'Accounts and cards'),
    retentionDays: 6 * year,
    types: [
      { id: 'ACCOUNT_ORDER', name: named('Dyspozycja do rachunku', 'Order concerning an account') },
      { id: 'ACCOUNT_ATTORNEY', name: named('Pełnomocnictwo', 'Power of attorney') },
      { id: 'ACCOUNT_TERMINATION', name: named('Wypowiedzenie umowy', 'Termination of a contract') },
    ],
  },
  {
    id: 'CLIENT_DATA',
    name: named('Dane osobowe', 'Personal data'),
    types: [
      { id: 'DATA_CHANGE', name: named('Zmiana danych', 'Change of data') },
      { id: 'DATA_TAX', name: named('Oświadczenie o rezydencji podatkowej', 'Declaration of tax residence') },
    ],
  },
  {
    id: 'OTHER',
    name: named('Inne', 'Other'),
    retentionDays: 3 * year,
    types: [{ id: 'OTHER_LETTER', name: named('Pismo do banku', 'Letter to the bank') }],
  },
];
