/** 123456 (grosze) → 1 234,56 with no-break spaces; below zero with a minus sign. */
export function amount(grosze: number): string {
  const whole = Math.floor(Math.abs(grosze) / 100);
  const rest = String(Math.abs(grosze) % 100).padStart(2, '0');
  return `${grosze < 0 ? '−' : ''}${grouped(whole)},${rest}`;
}

export function zloty(grosze: number): string {
  return `${amount(grosze)}\u00a0zł`;
}

/** 725 (hundredths of a percent) → 7,25% */
export function percent(hundredths: number): string {
  return `${Math.floor(hundredths / 100)},${String(hundredths % 100).padStart(2, '0')}%`;
}

function grouped(whole: number): string {
  return String(whole).replaceAll(/\B(?=(\d{3})+$)/g, '\u00a0');
}

/** Sum in words as agreements write it: sto dwadzieścia tysięcy złotych 00/100. */
export function inWords(grosze: number): string {
  const whole = Math.floor(grosze / 100);
  const rest = String(grosze % 100).padStart(2, '0');
  const parts = [
    groupInWords(Math.floor(whole / 1_000_000), ['milion', 'miliony', 'milionów']),
    groupInWords(Math.floor(whole / 1000) % 1000, ['tysiąc', 'tysiące', 'tysięcy']),
    belowThousand(whole % 1000),
  ].filter((part) => part !== '');
  const unit = whole === 1 ? 'złoty' : pluralForm(whole, ['złoty', 'złote', 'złotych']);
  return `${parts.length === 0 ? 'zero' : parts.join(' ')} ${unit} ${rest}/100`;
}

function pluralForm(count: number, [one, few, many]: readonly [string, string, string]): string {
  if (count === 1) return one;
  const ones = count % 10;
  const tens = Math.floor(count / 10) % 10;
  return ones >= 2 && ones <= 4 && tens !== 1 ? few : many;
}

/** Account number with its check digits, 26 digits without spaces. `rest` is the number within the bank (16 digits). */
export function accountNumber(sortCode: string, rest: string): string {
  const body = `${sortCode}${rest}`;
  // The digits of "PL00" are 252100: the whole number modulo 97 must give 1 (ISO 13616).
  const check = 98 - remainder97(`${body}252100`);
  return `${String(check).padStart(2, '0')}${body}`;
}

export function isAccountNumber(digits: string): boolean {
  return /^\d{26}$/.test(digits) && remainder97(`${digits.slice(2)}2521${digits.slice(0, 2)}`) === 1;
}

/** 2 + 6 × 4 digits */
export function spacedAccount(digits: string): string {
  return digits.replaceAll(/(?<=^\d{2}(\d{4})*)(?=(\d{4})+$)/g, '\u00a0');
}

function remainder97(digits: string): number {
  let remainder = 0;
  for (const digit of digits) remainder = (remainder * 10 + Number(digit)) % 97;
  return remainder;
}

const ones = ['', 'jeden', 'dwa', 'trzy', 'cztery', 'pięć', 'sześć', 'siedem', 'osiem', 'dziewięć'];
const teens = [
  'dziesięć',
  'jedenaście',
  'dwanaście',
  'trzynaście',
  'czternaście',
  'piętnaście',
  'szesnaście',
  'siedemnaście',
  'osiemnaście',
  'dziewiętnaście',
];
const tens = [
  '',
  '',
  'dwadzieścia',
  'trzydzieści',
  'czterdzieści',
  'pięćdziesiąt',
  'sześćdziesiąt',
  'siedemdziesiąt',
  'osiemdziesiąt',
  'dziewięćdziesiąt',
];
const hundreds = ['', 'sto', 'dwieście', 'trzysta', 'czterysta', 'pięćset', 'sześćset', 'siedemset', 'osiemset', 'dziewięćset'];

function groupInWords(count: number, forms: readonly [string, string, string]): string {
  if (count === 0) return '';
  return count === 1 ? forms[0] : `${belowThousand(count)} ${pluralForm(count, forms)}`;
}

function belowThousand(count: number): string {
  const teen = count % 100 >= 10 && count % 100 < 20;
  const parts = [
    hundreds[Math.floor(count / 100)],
    teen ? teens[count % 10] : tens[Math.floor(count / 10) % 10],
    teen ? '' : ones[count % 10],
  ];
  return parts.filter((part) => part !== undefined && part !== '').join(' ');
}
