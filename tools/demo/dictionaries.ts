export interface DemoDictionary {
  id: string;
  name: { pl: string; en: string };
  values: { key: string; pl: string; en: string }[];
}

export const demoDictionaries: DemoDictionary[] = [
  {
    id: 'PRIV_DOC_PRODUCT_GROUP',
    name: { pl: 'Grupa produktowa', en: 'Product group' },
    values: [
      { key: 'ACCOUNTS', pl: 'Rachunki', en: 'Accounts' },
      { key: 'MORTGAGES', pl: 'Kredyty hipoteczne', en: 'Mortgages' },
      { key: 'CASH_LOANS', pl: 'Kredyty gotówkowe', en: 'Cash loans' },
      { key: 'CARDS', pl: 'Karty płatnicze', en: 'Payment cards' },
      { key: 'DEPOSITS', pl: 'Lokaty i oszczędności', en: 'Deposits and savings' },
      { key: 'INSURANCE', pl: 'Ubezpieczenia', en: 'Insurance' },
      { key: 'E_BANKING', pl: 'Bankowość elektroniczna', en: 'Electronic banking' },
      { key: 'CORRESPONDENCE', pl: 'Korespondencja', en: 'Correspondence' },
    ],
  },
  {
    id: 'PUB_DOC_PRODUCT_GROUP',
    name: { pl: 'Grupa produktowa', en: 'Product group' },
    values: [
      { key: 'TARIFFS', pl: 'Taryfy opłat i prowizji', en: 'Tariffs of fees' },
      { key: 'INTEREST_RATES', pl: 'Tabele oprocentowania', en: 'Interest rates' },
      { key: 'REGULATIONS', pl: 'Regulaminy produktów', en: 'Product terms' },
      { key: 'INFORMATION', pl: 'Informacje dla klientów', en: 'Information for clients' },
    ],
  },
  {
    id: 'ST_DOC_TYPE',
    name: { pl: 'Rodzaj dokumentu', en: 'Document type' },
    values: [
      { key: 'MONTHLY', pl: 'Wyciąg miesięczny', en: 'Monthly statement' },
      { key: 'SAVINGS', pl: 'Wyciąg z rachunku oszczędnościowego', en: 'Savings account statement' },
      { key: 'CARD', pl: 'Wyciąg z karty kredytowej', en: 'Credit card statement' },
      { key: 'ANNUAL', pl: 'Wyciąg roczny', en: 'Annual statement' },
    ],
  },
];
