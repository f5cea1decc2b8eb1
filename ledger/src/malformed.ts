/** Thrown by every parser of this package for text or bytes that are not exactly of their format. `message` names the part that is wrong. */
export class MalformedError extends Error {
  override readonly name = 'MalformedError';
}
