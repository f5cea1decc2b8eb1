import { context, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';

/** Loaded only when traces are sent. Registers the one provider of this process; the function that it returns sends what waits, for five seconds at most. */
export const startExporting = (url: string, attributes: Record<string, string>): (() => Promise<void>) => {
  const exporter = new OTLPTraceExporter({ url, timeoutMillis: 5_000 });
  const provider = new TracerProvider({
    resource: resourceFromAttributes(attributes),
    spanProcessors: [new BatchSpanProcessor({ exporter })],
  });
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  trace.setGlobalTracerProvider(provider);
  return async () => {
    await provider.shutdown();
    trace.disable();
    context.disable();
  };
};
