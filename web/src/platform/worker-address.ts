interface PolicyFactory {
  createPolicy(name: string, rules: { createScriptURL: (url: string) => string }): { createScriptURL(url: string): string };
}

const isPolicyFactory = (value: unknown): value is PolicyFactory => value !== null && typeof value === 'object' && 'createPolicy' in value;

/** The address of a worker's script, by the one policy of the page that lets it be named. Such a policy may be made only once. */
export const workerAddress = (policy: string, url: string): string => {
  const factory: unknown = Reflect.get(globalThis, 'trustedTypes');
  return isPolicyFactory(factory) ? factory.createPolicy(policy, { createScriptURL: () => url }).createScriptURL(url) : url;
};
