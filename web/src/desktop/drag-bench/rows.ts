export const windowCount = 20;

/** Fifty rows of a list, as a customer's would be. */
export const rows: readonly (readonly string[])[] = Array.from({ length: 50 }, (_, i) => [
  `Umowa o kredyt hipoteczny nr ${i + 1}`,
  `PL61 1090 1014 0000 07${String(i).padStart(2, '0')} 1981 2874`,
  `KH/2026/${String(4_400 + i)}`,
  '2026-11-18',
]);
