/** A checksum as people copy it: in groups, in lines, in capitals. */
export const bareChecksum = (text: string): string => text.replaceAll(/[\s\u{a0}\u{200b}:-]+/gu, '').toLowerCase();

export type ChecksumProblem = 'empty' | 'invalid';

export const problemOf = (bare: string): ChecksumProblem | undefined => {
  if (bare === '') return 'empty';
  return /^[0-9a-f]{64}$/.test(bare) ? undefined : 'invalid';
};
