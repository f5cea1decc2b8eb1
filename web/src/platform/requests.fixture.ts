import { onTestFinished, vi } from 'vitest';

/** A request of XMLHttpRequest as the server would see it, to be answered by the test. */
export class FakeRequest extends EventTarget {
  readonly upload = new EventTarget();
  readonly headers = new Headers();
  responseType = '';
  responseText = '';
  status = 0;
  line = '';
  body: unknown;
  isAborted = false;

  open(method: string, path: string): void {
    this.line = `${method} ${path}`;
  }
  setRequestHeader(name: string, value: string): void {
    this.headers.append(name, value);
  }
  send(body: unknown): void {
    this.body = body;
    made.push(this);
  }
  abort(): void {
    this.isAborted = true;
    this.dispatchEvent(new Event('abort'));
  }
  getAllResponseHeaders(): string {
    return 'content-type: application/json\r\nx-request-id: a:b\r\n';
  }

  /** So much of the body is on its way. */
  progress(loaded: number, total: number): void {
    this.upload.dispatchEvent(new ProgressEvent('progress', { lengthComputable: true, loaded, total }));
  }
  answer(status: number, body: unknown = {}): void {
    this.status = status;
    this.responseText = JSON.stringify(body);
    this.dispatchEvent(new Event('load'));
  }
  /** No answer comes. */
  fail(): void {
    this.dispatchEvent(new Event('error'));
  }
}

let made: FakeRequest[] = [];

/** Takes the place of XMLHttpRequest until the test ends; answers the requests in the order in which they were sent. */
export const catchRequests = (): readonly FakeRequest[] => {
  made = [];
  vi.stubGlobal('XMLHttpRequest', FakeRequest);
  onTestFinished(() => void vi.unstubAllGlobals());
  return made;
};
