/**
 * What keeps an object from being removed. `compliance`: the store refuses everybody until the retention ends. `governance`: it refuses those without a
 * special right. `soft`: what is removed can be brought back, as versions are kept. `none`: nothing.
 */
export type LockLevel = 'compliance' | 'governance' | 'soft' | 'none';
