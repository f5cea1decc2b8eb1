import { type ReadOf, wholeNumber } from './sending-settings.ts';

/** How pages are drawn and kept. */
export const pageSettingRows = {
  RENDER_WORKERS: {
    doc: 'Threads that render pages; one more is reserved for pages that a client waits for. Left out: cores − 1, at least one.',
    schema: wholeNumber(1, 64),
    standard: undefined,
    public: true,
  },
  RENDITIONS_MAX_BYTES: {
    doc: 'Disk space of page images and page texts; the least recently used are removed, and made again when they are needed.',
    schema: wholeNumber(2 ** 20, 999_999_999_999),
    standard: String(10 * 2 ** 30),
    public: true,
  },
} as const;

export const pageSettingsOf = (read: ReadOf<typeof pageSettingRows>) => ({
  renderWorkers: read.RENDER_WORKERS,
  renditionsMaxBytes: read.RENDITIONS_MAX_BYTES,
});
