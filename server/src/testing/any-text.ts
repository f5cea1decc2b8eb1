import * as fc from 'fast-check';

/** Any code points, halves of surrogate pairs among them. The `binary` unit of fast-check's own strings takes seconds to build in each process. */
export const anyText = (maxLength: number): fc.Arbitrary<string> =>
  fc.array(fc.oneof(fc.nat(0x7f), fc.nat(0xff_ff), fc.nat(0x10_ff_ff)), { maxLength }).map((points) => String.fromCodePoint(...points));
