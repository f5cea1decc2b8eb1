/** The few parts of WebAssembly used here: neither the language library chosen for the server nor Node's types declare them. */
declare namespace WebAssembly {
  // @NOTE An opaque handle: the brand keeps any other object from being taken for one.
  class Module {
    private readonly compiled: unique symbol;
  }
  class Memory {
    readonly buffer: ArrayBuffer;
  }
  type Imports = Record<string, Record<string, unknown>>;
  class Instance {
    constructor(module: Module, imports: Imports);
    readonly exports: Record<string, unknown>;
  }
  class RuntimeError extends Error {}
  function compile(bytes: Uint8Array): Promise<Module>;
}
