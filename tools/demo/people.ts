import { accountNumber } from './money.ts';
import { createChance } from './seeded.ts';

export interface DemoClient {
  personalId: string;
  cif: string;
  firstName: string;
  lastName: string;
  email: string;
  phone: string;
}

export const demoClients: readonly DemoClient[] = [
  {
    personalId: '10000001',
    cif: '700100001',
    firstName: 'Anna',
    lastName: 'Nowak',
    email: 'anna.nowak@example.com',
    phone: '+48600100001',
  },
  {
    personalId: '10000002',
    cif: '700100002',
    firstName: 'Piotr',
    lastName: 'Zieliński',
    email: 'piotr.zielinski@example.com',
    phone: '+48600100002',
  },
  {
    personalId: '10000003',
    cif: '700100003',
    firstName: 'Małgorzata',
    lastName: 'Wójcik',
    email: 'malgorzata.wojcik@example.com',
    phone: '+48600100003',
  },
];

/** How a client is written in documents. */
export interface Customer {
  readonly client: DemoClient;
  readonly isWoman: boolean;
  readonly name: string;
  /** „Panią Anną Nowak” */
  readonly withTitle: string;
  readonly salutation: string;
  readonly street: string;
  readonly town: string;
  /** „zamieszkałą w Toruniu” */
  readonly residing: string;
  readonly accounts: Accounts;
}

/** 26 digits each. */
export interface Accounts {
  readonly current: string;
  readonly savings: string;
  readonly loan: string;
  readonly card: string;
}

export function getCustomers(seed: number): [first: Customer, second: Customer, third: Customer] {
  const [anna, piotr, malgorzata] = demoClients;
  if (anna === undefined || piotr === undefined || malgorzata === undefined) throw new Error('Three demo clients are expected');
  return [
    customer(seed, anna, {
      withTitle: 'Panią Anną Nowak',
      street: 'ul. Mostowa 14 m. 6',
      town: '87-100 Toruń',
      residing: 'zamieszkałą w Toruniu',
    }),
    customer(seed, piotr, {
      withTitle: 'Panem Piotrem Zielińskim',
      street: 'ul. Żeglarska 3 m. 21',
      town: '81-301 Gdynia',
      residing: 'zamieszkałym w Gdyni',
    }),
    customer(seed, malgorzata, {
      withTitle: 'Panią Małgorzatą Wójcik',
      street: 'ul. Długa 58 m. 2',
      town: '85-034 Bydgoszcz',
      residing: 'zamieszkałą w Bydgoszczy',
    }),
  ];
}

/** Number of a bank that does not exist (no real account can be hit), with the control digit of sort codes. */
const sortCode = '99900012';

function customer(seed: number, client: DemoClient, written: Pick<Customer, 'withTitle' | 'street' | 'town' | 'residing'>): Customer {
  const isWoman = written.withTitle.startsWith('Panią');
  const chance = createChance(`${seed}/accounts/${client.personalId}`);
  const open = (product: string): string => accountNumber(sortCode, `${product}${chance.digits(12)}`);
  return {
    client,
    isWoman,
    name: `${client.firstName} ${client.lastName}`,
    salutation: isWoman ? 'Szanowna Pani,' : 'Szanowny Panie,',
    ...written,
    accounts: { current: open('1010'), savings: open('2020'), loan: open('3030'), card: open('4040') },
  };
}

/** Picks the form that fits the person: `gender(customer, 'zwaną', 'zwanym')`. */
export function gender(customer: Customer, woman: string, man: string): string {
  return customer.isWoman ? woman : man;
}
