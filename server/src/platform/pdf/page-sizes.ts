import type { PageSize } from '#platform/database/schema.ts';

/** As they are kept: ten thousand pages of one size as one. */
export const packPageSizes = (sizes: readonly PageSize[]): PageSize[] => {
  const [first] = sizes;
  const isUniform = first !== undefined && sizes.every(({ width, height }) => width === first.width && height === first.height);
  return isUniform ? [first] : [...sizes];
};

/** The reverse of `packPageSizes`: one size per page, in points after rotation. */
export const unpackPageSizes = (sizes: readonly PageSize[], pageCount: number): PageSize[] => {
  const [first] = sizes;
  return sizes.length === 1 && first !== undefined ? Array.from({ length: pageCount }, () => first) : [...sizes];
};
