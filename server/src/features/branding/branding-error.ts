/** Something in the installation's folder does not fit: one sentence per problem, each with its file. Nothing starts. */
export class BrandingError extends Error {
  override readonly name = 'BrandingError';

  constructor(problems: readonly string[]) {
    super(problems.map((problem) => `BRANDING_DIR: ${problem}`).join('\n'));
  }
}
