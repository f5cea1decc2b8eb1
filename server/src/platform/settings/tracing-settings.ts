import * as z from 'zod/mini';

export const tracingSettingRows = {
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    doc: 'Address of an OpenTelemetry collector, like http://127.0.0.1:4318: traces of calls, jobs and statements are sent there. Left out: none are.',
    schema: z.pipe(
      z.string().check(
        z.refine((written) => /^https?:\/\//.test(written) && URL.canParse(written), {
          error: 'not an address like http://127.0.0.1:4318',
        }),
      ),
      z.transform((written) => new URL(written)),
    ),
    standard: undefined,
  },
} as const;
