import { onTestFinished, vi } from 'vitest';

/** The blob addresses of this test that were made and not revoked. */
export const watchObjectUrls = (): ReadonlySet<string> => {
  const living = new Set<string>();
  const create = URL.createObjectURL.bind(URL);
  const revoke = URL.revokeObjectURL.bind(URL);
  const made = vi.spyOn(URL, 'createObjectURL').mockImplementation((bytes) => {
    const url = create(bytes);
    living.add(url);
    return url;
  });
  const revoked = vi.spyOn(URL, 'revokeObjectURL').mockImplementation((url) => {
    living.delete(url);
    revoke(url);
  });
  onTestFinished(() => {
    made.mockRestore();
    revoked.mockRestore();
  });
  return living;
};
