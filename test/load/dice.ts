import { hotMembers, members } from './shop.ts';

/** The share of members' calls that go to the few hot members. */
const hotShare = 0.3;
export const below = (count: number) => Math.floor(Math.random() * count);
export const anyOf = <T>(list: readonly T[]): T | undefined => list[below(list.length)];
export const anyMember = () => below(Math.random() < hotShare ? hotMembers : members);
