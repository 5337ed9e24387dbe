import { hotMembers, members } from './shop.ts';

/** Of the calls that go to a member, those that go to one of the few hot ones. */
const hotShare = 0.3;
export const below = (count: number) => Math.floor(Math.random() * count);
export const anyOf = <T>(list: readonly T[]): T | undefined => list[below(list.length)];
export const anyMember = () => below(Math.random() < hotShare ? hotMembers : members);
