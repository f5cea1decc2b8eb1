/** Signs of ASCII in the order of their codes, from the space on: those that are no letters. */
const asciiNames =
  'space exclam quotedbl numbersign dollar percent ampersand quotesingle parenleft parenright asterisk plus comma hyphen period slash ' +
  'zero one two three four five six seven eight nine colon semicolon less equal greater question at';

/** Names of the list of Adobe (Adobe Glyph List for New Fonts) that follow no rule. */
const others: Readonly<Record<string, string>> = {
  bracketleft: '[',
  backslash: '\\',
  bracketright: ']',
  asciicircum: '^',
  underscore: '_',
  grave: '`',
  braceleft: '{',
  bar: '|',
  braceright: '}',
  asciitilde: '~',
  nbspace: '\u{A0}',
  nonbreakingspace: '\u{A0}',
  exclamdown: '¡',
  cent: '¢',
  sterling: '£',
  currency: '¤',
  yen: '¥',
  brokenbar: '¦',
  section: '§',
  dieresis: '¨',
  copyright: '©',
  ordfeminine: 'ª',
  guillemotleft: '«',
  logicalnot: '¬',
  registered: '®',
  macron: '¯',
  degree: '°',
  plusminus: '±',
  acute: '´',
  mu: 'µ',
  paragraph: '¶',
  periodcentered: '·',
  cedilla: '¸',
  ordmasculine: 'º',
  guillemotright: '»',
  onequarter: '¼',
  onehalf: '½',
  threequarters: '¾',
  questiondown: '¿',
  AE: 'Æ',
  ae: 'æ',
  OE: 'Œ',
  oe: 'œ',
  Eth: 'Ð',
  eth: 'ð',
  Dcroat: 'Đ',
  dcroat: 'đ',
  Thorn: 'Þ',
  thorn: 'þ',
  Oslash: 'Ø',
  oslash: 'ø',
  Lslash: 'Ł',
  lslash: 'ł',
  germandbls: 'ß',
  dotlessi: 'ı',
  multiply: '×',
  divide: '÷',
  florin: 'ƒ',
  circumflex: 'ˆ',
  caron: 'ˇ',
  breve: '˘',
  dotaccent: '˙',
  ring: '˚',
  ogonek: '˛',
  tilde: '˜',
  hungarumlaut: '˝',
  endash: '–',
  emdash: '—',
  quoteleft: '‘',
  quoteright: '’',
  quotesinglbase: '‚',
  quotedblleft: '“',
  quotedblright: '”',
  quotedblbase: '„',
  dagger: '†',
  daggerdbl: '‡',
  bullet: '•',
  ellipsis: '…',
  perthousand: '‰',
  guilsinglleft: '‹',
  guilsinglright: '›',
  fraction: '⁄',
  Euro: '€',
  trademark: '™',
  minus: '−',
  notequal: '≠',
  lessequal: '≤',
  greaterequal: '≥',
  ff: 'ff',
  fi: 'fi',
  fl: 'fl',
  ffi: 'ffi',
  ffl: 'ffl',
};

/** Names of accents behind that of a letter, as in `Aogonek`. */
const accents: Readonly<Record<string, string>> = {
  grave: '\u{300}',
  acute: '\u{301}',
  circumflex: '\u{302}',
  tilde: '\u{303}',
  macron: '\u{304}',
  breve: '\u{306}',
  dotaccent: '\u{307}',
  dieresis: '\u{308}',
  ring: '\u{30A}',
  hungarumlaut: '\u{30B}',
  caron: '\u{30C}',
  cedilla: '\u{327}',
  ogonek: '\u{328}',
  commaaccent: '\u{326}',
};

const first = 0x20;
const known: ReadonlyMap<string, string> = new Map([
  ...asciiNames.split(' ').map((name, index) => [name, String.fromCharCode(first + index)] as const),
  ...Object.entries(others),
]);

/** The letters that the name of a glyph stands for. Undefined for names that mean nothing outside of their font, as `g17`. */
export function letterOfName(name: string): string | undefined {
  const [base = ''] = name.split('.');
  const parts = base.split('_').map(letterOfPart);
  return parts.includes(undefined) ? undefined : parts.join('');
}

function letterOfPart(name: string): string | undefined {
  if (/^[A-Za-z]$/.test(name)) return name;
  const code = /^(?:uni([0-9A-F]{4})|u([0-9A-F]{4,6}))$/.exec(name);
  const letter = Number.parseInt(code?.[1] ?? code?.[2] ?? '', 16);
  if (Number.isInteger(letter)) return letter > 0 && letter <= 0x10ffff ? String.fromCodePoint(letter).toWellFormed() : undefined;
  const accent = accents[name.slice(1)];
  if (accent !== undefined && /^[A-Za-z]/.test(name)) return `${name[0]}${accent}`.normalize('NFC');
  return known.get(name);
}
