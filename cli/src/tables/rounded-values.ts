/** Of a cell that holds nothing else: seven digits of an account number are all that is left of it. */
const roundedCell = /^[+-]?\d(?:[.,]\d+)?E[+-]\d{1,3}$/i;
/** Within an identifier that a formula has put together. */
const roundedPart = /\d[.,]\d+E\+\d/i;

/** A spreadsheet keeps fifteen digits of a number; the others of an account number become zeros, and its check digits (ISO 7064) do not fit any more. */
const isAccountWithoutItsEnd = (text: string): boolean => {
  const digits = text.replaceAll(/[\s-]/g, '').replace(/^PL/i, '');
  if (!/^\d{15}0{11}$/.test(digits)) return false;
  // Two letters of the country and the check digits go to the end; P is 25 and L is 21.
  return BigInt(`${digits.slice(2)}2521${digits.slice(0, 2)}`) % 97n !== 1n;
};

/** A spreadsheet has taken the value for a number and rounded it, so that nobody can say what it was. */
export const isRounded = (text: string, { isIdentifier }: { readonly isIdentifier: boolean }): boolean =>
  roundedCell.test(text.trim()) || (isIdentifier && (roundedPart.test(text) || isAccountWithoutItsEnd(text)));
