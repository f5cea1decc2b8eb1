/** Where a public document is found by everybody, without signing in. */
export const publicAddress = (id: string): string => `/public/${id}`;
