PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE run (
	id VARCHAR(16) NOT NULL, 
	name TEXT NOT NULL, 
	status VARCHAR(16) NOT NULL, 
	judge TEXT NOT NULL, 
	method TEXT NOT NULL, 
	judge_options JSON NOT NULL, 
	fingerprint TEXT NOT NULL, 
	threshold DOUBLE NOT NULL, 
	kb_version TEXT, 
	source TEXT, 
	created_at DATETIME NOT NULL, 
	as_of DATETIME NOT NULL, 
	finished_at DATETIME, 
	heartbeat_at DATETIME, 
	worker TEXT, 
	cancel_requested BOOLEAN NOT NULL, 
	seconds DOUBLE NOT NULL, 
	error TEXT, 
	rows INTEGER NOT NULL, 
	revision INTEGER NOT NULL, 
	summary JSON, 
	summary_revision INTEGER, 
	repeat_of VARCHAR(16), 
	use_cache BOOLEAN, 
	rows_left_out INTEGER, 
	series TEXT NOT NULL, 
	archived_at DATETIME, 
	note TEXT, 
	texts_deleted_at DATETIME, 
	CONSTRAINT pk_run PRIMARY KEY (id)
);
INSERT INTO run VALUES('xbdmbgm4','september','complete','lexical','claims','{}','lexical/9+59c6e31c',0.8000000000000000444,'2026-09','2026-w42.jsonl','2026-11-28 20:40:15.013325','2026-10-12 07:06:09.000000','2026-11-28 20:40:15.477660','2026-11-28 20:40:15.425017',NULL,0,0.14478858699999364034,NULL,10,5,'{"layout": 5, "rows": 10, "states": {"pending": 0, "judged": 10, "no_claims": 0, "abstained": 0, "empty_context": 0, "failed": 0}, "claims": {"supported": 27, "partially_supported": 0, "not_mentioned": 0, "contradicted": 0}, "score": [1.0, [0.6614913773398168, 1.0], [1.0, 1.0], 10, 0], "weighted": 1.0, "faithful_rows": 10, "segments": [["Billing", 10, [1.0, [0.6614913773398168, 1.0], [1.0, 1.0], 10, 0], {"judged": 10}]], "usage": {"llm_calls": 0, "cached_calls": 0, "prompt_tokens": 0, "cached_prompt_tokens": 0, "completion_tokens": 0, "cost_usd": null}, "hallucination_rate": 0.0, "inclusion": [1.0, 1.0], "decided_by": {}}',5,NULL,1,0,'september',NULL,NULL,NULL);
INSERT INTO run VALUES('fgj9b5nd','october','complete','lexical','claims','{}','lexical/9+59c6e31c',0.8000000000000000444,'2026-10','2026-w43.jsonl','2026-11-28 20:40:17.693586','2026-10-19 07:06:09.000000','2026-11-28 20:40:18.110434','2026-11-28 20:40:18.098139',NULL,0,0.10142131299994616711,NULL,10,5,'{"layout": 5, "rows": 10, "states": {"pending": 0, "judged": 10, "no_claims": 0, "abstained": 0, "empty_context": 0, "failed": 0}, "claims": {"supported": 25, "partially_supported": 1, "not_mentioned": 0, "contradicted": 1}, "score": [0.96, [0.6648704044817759, 0.9965675164640193], [0.96, 0.96], 10, 0], "weighted": 0.95, "faithful_rows": 9, "segments": [["Billing", 10, [0.96, [0.6648704044817759, 0.9965675164640193], [0.96, 0.96], 10, 0], {"judged": 10}]], "usage": {"llm_calls": 0, "cached_calls": 0, "prompt_tokens": 0, "cached_prompt_tokens": 0, "completion_tokens": 0, "cost_usd": null}, "hallucination_rate": 0.07407407407407407, "inclusion": [1.0, 1.0], "decided_by": {}}',5,NULL,1,0,'september',NULL,NULL,NULL);
INSERT INTO run VALUES('ff9x7ac8','september, read','complete','embedded','claims','{}','embedded/5+59c6e31c+79da60a2+41c7b7ab+8e344fb8',0.8000000000000000444,'2026-09','2026-w42.jsonl','2026-11-28 20:40:20.780146','2026-10-12 07:06:09.000000','2026-11-28 20:40:21.860862','2026-11-28 20:40:21.841012',NULL,0,1.0020985310000014578,NULL,10,6,'{"layout": 5, "rows": 10, "states": {"pending": 0, "judged": 10, "no_claims": 0, "abstained": 0, "empty_context": 0, "failed": 0}, "claims": {"supported": 25, "partially_supported": 0, "not_mentioned": 1, "contradicted": 1}, "score": [0.9333333333333333, [0.6784277868414402, 0.9893507425963336], [0.9333333333333333, 0.9333333333333333], 10, 0], "weighted": 0.9, "faithful_rows": 8, "segments": [["Billing", 10, [0.9333333333333333, [0.6784277868414402, 0.9893507425963336], [0.9333333333333333, 0.9333333333333333], 10, 0], {"judged": 10}]], "usage": {"llm_calls": 0, "cached_calls": 0, "prompt_tokens": 0, "cached_prompt_tokens": 0, "completion_tokens": 0, "cost_usd": null}, "hallucination_rate": 0.07407407407407407, "inclusion": [1.0, 1.0], "decided_by": {}}',6,NULL,1,0,'september',NULL,NULL,NULL);
CREATE TABLE chunk (
	id INTEGER NOT NULL, 
	text_hash VARCHAR(64) NOT NULL, 
	chunk_hash VARCHAR(64) NOT NULL, 
	text TEXT NOT NULL, 
	CONSTRAINT pk_chunk PRIMARY KEY (id), 
	CONSTRAINT uq_chunk_text_hash UNIQUE (text_hash)
);
INSERT INTO chunk VALUES(1,X'0669ee4740075bb0691c85b493cf4c27a2fcbd33c71b2dc04bcd8d868fb2bd65',X'0669ee4740075bb0691c85b493cf4c27a2fcbd33c71b2dc04bcd8d868fb2bd65','When you remove a seat, the change takes effect at the end of the current billing period and no refund is made for the remaining days. You can remove seats under Settings > Billing > Seats. A workspace must keep at least 1 seat. Yearly subscriptions can add seats at any time but can only reduce them at renewal.');
INSERT INTO chunk VALUES(2,X'21b36a03651198c278a9405e77373eee395a304b51ed86e07ba8790523bd1048',X'21b36a03651198c278a9405e77373eee395a304b51ed86e07ba8790523bd1048','Brindlepost accepts credit and debit cards and SEPA direct debit. Direct debit is available in euros only and takes up to 5 working days to clear. Bank transfer is offered on yearly Scale subscriptions above €5,000 and must arrive within 30 days of the invoice date. We do not accept cheques, cash or payment in cryptocurrency.');
INSERT INTO chunk VALUES(3,X'2c46ad1b0ef896a0857bd84f5f6f0704ea180da43d5292201d13751aab3d26a1',X'2c46ad1b0ef896a0857bd84f5f6f0704ea180da43d5292201d13751aab3d26a1','You can add up to 3 billing contacts, who receive invoices but do not need a seat. Purchase order numbers, the company name and the billing address can be changed at any time; the change appears on the next invoice. Invoices that have been issued cannot be edited, but the billing team can cancel and reissue an invoice within 30 days.');
INSERT INTO chunk VALUES(4,X'2e0d6a2841f050a0df1d4c9f90124a59072517a075706808e00d3606bfd53d4a',X'2e0d6a2841f050a0df1d4c9f90124a59072517a075706808e00d3606bfd53d4a','Brindlepost has three plans. Starter costs €9 per seat a month and covers up to 5 seats and 2 inboxes. Team costs €19 per seat a month and covers up to 50 seats and 10 inboxes. Scale costs €39 per seat a month, has no seat limit and covers up to 100 inboxes. All prices are before tax. Every plan includes the mobile apps, saved replies and email support.');
INSERT INTO chunk VALUES(5,X'3d73801fc8820b239eefdf6410791ba4d80306cd65f2663860461ffa0e826a15',X'3d73801fc8820b239eefdf6410791ba4d80306cd65f2663860461ffa0e826a15','Your billing cycle starts on the day you subscribe and renews on the same day each month or year. We charge in advance for the coming period. An invoice is sent to the billing contact within 24 hours of each charge, and every invoice stays available as a PDF under Settings > Billing > Invoices for 7 years.');
INSERT INTO chunk VALUES(6,X'65d405995bed18a3253e7ff55fd5fd21a542328274395eb3693db1134f842eb4',X'65d405995bed18a3253e7ff55fd5fd21a542328274395eb3693db1134f842eb4','Only Owners and Admins can change the payment method. Go to Settings > Billing > Payment method, choose Replace, and enter the new details; the old method is removed as soon as the new one is confirmed. Card numbers are held by our payment provider and are never stored on Brindlepost servers. An email confirms every change of the payment method.');
INSERT INTO chunk VALUES(7,X'81497e680740ae8c5ab7f32efb4711ab92278c86a388a73799a5b72628be1e04',X'81497e680740ae8c5ab7f32efb4711ab92278c86a388a73799a5b72628be1e04','A seat is used by every person with the role Owner, Admin, Lead or Agent. Viewers do not use a seat. When you add a seat in the middle of a billing period, you pay a pro-rated amount for the days that are left, and the charge is made at once. New seats can be used immediately.');
INSERT INTO chunk VALUES(8,X'da098084f4390b7653ae15080decc4f16720d665cf13577b962813bf6dac77f3',X'da098084f4390b7653ae15080decc4f16720d665cf13577b962813bf6dac77f3','If you pay by the year, you get two months free: a yearly Team seat costs €190 instead of €228. Registered charities get 30 % off the Team and Scale plans after sending proof of status to the billing team. The charity discount cannot be combined with yearly billing. Prices for existing customers stay fixed for 12 months after a price change is announced.');
INSERT INTO chunk VALUES(9,X'2551490e410b3f80b6afc20fe162e9f2875a354184a56952b95ae6d811497e5b',X'2551490e410b3f80b6afc20fe162e9f2875a354184a56952b95ae6d811497e5b','A read-only workspace is restored within a few minutes of a successful payment. If no payment arrives within 60 days of the first failed charge, the subscription is cancelled and the workspace is closed. A closed workspace can be reopened by its Owner for another 30 days before its data is deleted. Messages that were received in the meantime are then delivered to the inboxes in their original order.');
INSERT INTO chunk VALUES(10,X'2b60d82356a96fa86cbd5d5b129418ac9aca215061fcb62e3ab9354f132d866d',X'2b60d82356a96fa86cbd5d5b129418ac9aca215061fcb62e3ab9354f132d866d','VAT that was charged before you entered a valid number can be credited for the last 2 invoices only. Write to the billing team with the invoice numbers. Customers outside the European Union are not charged VAT, but local taxes may be due in their own country. Tax settings can be changed by Owners and Admins.');
INSERT INTO chunk VALUES(11,X'48c800ca50ff7754f9cbb28202e687aae910d718cbedac3412534ba3298e8aea',X'48c800ca50ff7754f9cbb28202e687aae910d718cbedac3412534ba3298e8aea','You can allow everyone with an address at your company''s domain to join without an invitation. Confirm the domain with a DNS record under Settings > People > Domains, and choose the role that new people get: Agent or Viewer. People who join this way use a seat if they are Agents. Up to 5 domains can be confirmed.');
INSERT INTO chunk VALUES(12,X'49b1a2771e197f233e199f6011c60530c81460f59d45d190271d56e9c8d6e627',X'49b1a2771e197f233e199f6011c60530c81460f59d45d190271d56e9c8d6e627','To connect an address, go to Settings > Inboxes > New inbox and choose between a direct connection and forwarding. A direct connection works with any IMAP mailbox and checks for new mail every 2 minutes. When you connect a mailbox, Brindlepost imports the last 90 days of email, up to 20,000 messages. Older messages stay in the mailbox and are not imported.');
INSERT INTO chunk VALUES(13,X'5e0201d7c31b23217c63d0620f8e7fd23aee3c71e57ac58f44de638b3f7c69b9',X'5e0201d7c31b23217c63d0620f8e7fd23aee3c71e57ac58f44de638b3f7c69b9','If the Owner has left the company and cannot sign in, an Admin can ask support to move the ownership. Support needs a letter on company paper signed by a director and waits 10 working days, during which the old Owner can object by email. The process is free of charge and can be used once a year.');
INSERT INTO chunk VALUES(14,X'8816c8b1c72fa77233dd799cee3deeedd9205c0f35e15d24b65d0096128dedaa',X'8816c8b1c72fa77233dd799cee3deeedd9205c0f35e15d24b65d0096128dedaa','If delivery fails, we try again 8 times over 24 hours with growing pauses. After that the event is dropped. A webhook that fails for 3 days in a row is switched off, and Admins are told by email. Each request is signed with HMAC-SHA256 in the header X-Brindle-Signature. The last 500 deliveries can be viewed and sent again under Settings > Developers.');
INSERT INTO chunk VALUES(15,X'abec2249cdc9d75d7064af66b0341356ee18063e38e8ce37fb48c97e59a545e0',X'abec2249cdc9d75d7064af66b0341356ee18063e38e8ce37fb48c97e59a545e0','A message can have up to 20 attachments with a total size of 25 MB. Larger files, up to 200 MB each, are sent as a download link that expires after 30 days. Executable files such as .exe and .bat are removed from incoming mail, and a note in the conversation says which file was removed.');
INSERT INTO chunk VALUES(16,X'adae2dc25ee2eba020c8f7af8765cc4e3ac73fe0498b8f4f250d5303e948dbf3',X'adae2dc25ee2eba020c8f7af8765cc4e3ac73fe0498b8f4f250d5303e948dbf3','If a payment fails, we try again after 3, 7 and 14 days and email the billing contacts each time. The workspace works normally during this time. If the third retry fails as well, the workspace becomes read-only: incoming mail is still received and stored, but nobody can send replies or change settings. A banner at the top of every page tells Admins which invoice is open and how much is due.');
INSERT INTO chunk VALUES(17,X'be00aa65c1756e2c2fef78104aacf3040a1d7c52777ec7d93ab8f5ccf07a6a86',X'be00aa65c1756e2c2fef78104aacf3040a1d7c52777ec7d93ab8f5ccf07a6a86','A survey asks the customer to rate the conversation as good, okay or bad. It is sent 24 hours after a conversation is closed, and the delay can be set between 1 hour and 7 days. A customer gets at most one survey in 30 days. Surveys are part of the Team and Scale plans.');
INSERT INTO chunk VALUES(18,X'e2af1d50259ecc46e28df203141d4a40d92074a83863eab0500f31f200d9952b',X'e2af1d50259ecc46e28df203141d4a40d92074a83863eab0500f31f200d9952b','A rule can assign, tag, set a priority, close, snooze, send a saved reply, forward to an outside address, or call a webhook. One rule can have up to 12 conditions and 8 actions. The Team plan allows 50 active rules and the Scale plan allows 400. Inactive rules do not count. A rule that goes over a limit cannot be saved, and the editor shows which part is too much.');
INSERT INTO chunk VALUES(19,X'e5e71505ab4ea6971dd3cbb7b56a2b22eb63ea3a9c0e87cfa1987a8c8d734fca',X'e5e71505ab4ea6971dd3cbb7b56a2b22eb63ea3a9c0e87cfa1987a8c8d734fca','A rule can transfer conversations with the action Transfer to inbox, on the Team and Scale plans. A conversation can be transferred by rules at most 3 times. The response time clock is not restarted by a transfer: first response time still runs from the customer''s first message, and the service targets of the new inbox apply from the moment of the transfer.');
INSERT INTO chunk VALUES(20,X'f4e2666ff5c5b0111b265b60d0a00051e0bdbe29ee994de2bd67a29f97144aa7',X'f4e2666ff5c5b0111b265b60d0a00051e0bdbe29ee994de2bd67a29f97144aa7','When a conversation is assigned to a team, every person in that team who is available gets a notification. The first person who replies becomes the assignee. Teams can be mentioned in internal notes with @ and the team''s name. Deleting a team leaves its conversations in the inbox without an assignee. Notifications for a team can be muted by each person under Profile > Notifications.');
INSERT INTO chunk VALUES(21,X'3f06334d530fb0a0d77e2256bbca8ff97572f0c3c0b15a9e9e4440ecb23a1e84',X'3f06334d530fb0a0d77e2256bbca8ff97572f0c3c0b15a9e9e4440ecb23a1e84','To hand a conversation over to a team that works in another inbox, use Transfer. Open the conversation, choose More > Transfer, pick the inbox and press Transfer. The conversation moves at once and arrives unassigned in the other inbox. The receiving team does not have to accept it. Transfer is included in all plans at no extra charge.');
INSERT INTO chunk VALUES(22,X'4c3b47a484fda9504441d5ba57e432d2b5b5aff178525ce70998b50c396516d3',X'4c3b47a484fda9504441d5ba57e432d2b5b5aff178525ce70998b50c396516d3','When a handover arrives, each member of the receiving team sees Accept and Return. The acceptance window is 30 minutes by default. Accepting makes you the assignee. Returning needs a reason of at least 10 characters. If nobody accepts in time, the handover lapses and the conversation goes back. The bar at the top of the conversation shows how much of the window is left.');
INSERT INTO chunk VALUES(23,X'4d2e9dfc85cdd0a2dd018c16e7dd00cd5fe2b7c0ad56d55a4a0047d6bece9ad0',X'4d2e9dfc85cdd0a2dd018c16e7dd00cd5fe2b7c0ad56d55a4a0047d6bece9ad0','DNS changes can take up to 48 hours to become visible. Brindlepost checks the records every hour and shows a green tick when both are correct. Until the domain is verified, replies are sent from an address ending in brindlepost.example. A DKIM key has 2048 bits and is renewed once a year without any action on your side.');
CREATE TABLE claim_text (
	id INTEGER NOT NULL, 
	claim_hash VARCHAR(64) NOT NULL, 
	text TEXT NOT NULL, 
	words TEXT NOT NULL, 
	CONSTRAINT pk_claim_text PRIMARY KEY (id), 
	CONSTRAINT uq_claim_text_claim_hash UNIQUE (claim_hash)
);
INSERT INTO claim_text VALUES(1,X'03289a1f3b692eed3feeb445b4472ec2f06db23583266e585894e88518a6b2fd','SEPA direct debit is accepted, in euros only, and takes up to 5 working days to clear.','sepa direct debit is accept in euro onli and take up to 5 work day to clear');
INSERT INTO claim_text VALUES(2,X'1339b77b699378c8243082c437f250ad856aed5bc0c172df266c30ecf9221627','Bank transfer is offered on yearly Scale subscriptions above €5,000 and must arrive within 30 days of the invoice date.','bank transfer is offer on year scale subscript abov 5 000 and must arriv within 30 day of the invoic date');
INSERT INTO claim_text VALUES(3,X'1d0e203444b6eaa23fb14e611cca7129b24d4a8b447417a8f958dfa8d1f6dc09','Starter covers up to 5 seats and 2 inboxes','starter cover up to 5 seat and 2 inbox');
INSERT INTO claim_text VALUES(4,X'1ec7251c1596d6932f0baf65086f20562b06268c229471db757d06fb9ea26d1b','Scale has no seat limit.','scale has no seat limit');
INSERT INTO claim_text VALUES(5,X'40cd9a047c51d80e574d7851ecc6e8be771a6b3826992c1018f8cf8003176e71','Registered charities get 30 % off the Team and Scale plans after sending proof of status to the billing team.','regist chariti get 30 off the team and scale plan after send proof of status to the bill team');
INSERT INTO claim_text VALUES(6,X'482c8cc9f78b750e67ad79d9b88e759c3fba0dbc33c30806668ffb8d5d0b3139','The discount cannot be combined with yearly billing.','the discount cannot be combin with year bill');
INSERT INTO claim_text VALUES(7,X'5673c6f34aba4b552de86f4883f82c1a0d8d16599d7e5335e168a08230f32ce9','All prices are before tax.','all price are befor tax');
INSERT INTO claim_text VALUES(8,X'6fcfaff4227350e1a9a4033d4977d39416b8ceb2ec8f49e26841c009e1f74b4e','A new company name or billing address appears on the next invoice.','a new compani name or bill address appear on the next invoic');
INSERT INTO claim_text VALUES(9,X'759ebb600b06435af7389ffc7affe991e24b32c8209d6d4fd63520a4fcef76e5','Team covers up to 50 seats and 10 inboxes.','team cover up to 50 seat and 10 inbox');
INSERT INTO claim_text VALUES(10,X'89f6da05a014039c46602d84b6cd1a6563db7b3d67805f2a18565b885f995608','The charity discount cannot be combined with yearly billing.','the chariti discount cannot be combin with year bill');
INSERT INTO claim_text VALUES(11,X'b1daf4f24294ab3bb671f8ff8bb3f85fda8c1fbde0d376c89dd8bc4eb625d70d','An invoice is also sent to the billing contact within 24 hours of each charge.','an invoic is also sent to the bill contact within 24 hour of each charg');
INSERT INTO claim_text VALUES(12,X'b5871ea92c638d59264cbb5087a8421d835b289a94acd19b9abcabc0426c94f0','The discount is renewed automatically for schools and hospitals.','the discount is renew automat for school and hospit');
INSERT INTO claim_text VALUES(13,X'be7bb130792010a63690cf2b2e3d7ec5866233833642b86f39162f3864b0880d','Starter costs €9 per seat a month, Team costs €19 and Scale costs €39.','starter cost 9 per seat a month team cost 19 and scale cost 39');
INSERT INTO claim_text VALUES(14,X'ce696094fea3b891e423fa15920dc6141167a8e28169bb1fee7b4a73917170d1','Invoices that have been issued cannot be edited.','invoic that have been issu cannot be edit');
INSERT INTO claim_text VALUES(15,X'd3fe9f730fcadb88c57c485a608687fc6dd5caad5dbc265bdc98dd55aff07c43','Every invoice is available as a PDF under Settings > Billing > Invoices for 7 years.','everi invoic is avail as a pdf under set bill invoic for 7 year');
INSERT INTO claim_text VALUES(16,X'd68bfe9f7efe59a67e0bf6d0e5fb6ce92dc56d47ddee5e85d68c350006ab95b2','If you pay by the year you get two months free, so a yearly Team seat costs €190 instead of €228.','if you pay by the year you get two month free so a year team seat cost 190 instead of 228');
INSERT INTO claim_text VALUES(17,X'db45daa36e5bd695da074557ea10798ca858e2b8489cd0e5cc355739299c8c36','The billing team can cancel and reissue an invoice within 30 days.','the bill team can cancel and reissu an invoic within 30 day');
INSERT INTO claim_text VALUES(18,X'14841e2ae752733646743abb25ef2403860b7378c3147340370b420939f44362','This pro-rated amount is charged at once, and your new colleague can start using the seat immediately.','this pro rate amount is charg at onc and your new colleagu can start use the seat immedi');
INSERT INTO claim_text VALUES(19,X'4385d477deaf52b64645fcce37c40ab8eca21dfa85724c8811d4c40ef0616834','The old method is removed as soon as the new one is confirmed.','the old method is remov as soon as the new one is confirm');
INSERT INTO claim_text VALUES(20,X'4fbb30839bfa6f53ef2e4472fafc1a5ab46c223537d9b06802b4e0749735fe7b','If the third retry fails as well, the workspace becomes read-only.','if the third retri fail as well the workspac becom read onli');
INSERT INTO claim_text VALUES(21,X'5e5725b127e1c1c42f543e43bba8810013222f19fb256ed37beec65b68d0bb14','If a payment fails, Brindlepost tries again after 3, 7 and 14 days and emails the billing contacts each time.','if a payment fail brindlepost tri again after 3 7 and 14 day and email the bill contact each time');
INSERT INTO claim_text VALUES(22,X'6119d678f5f03198a60373c27cdc0f849699e1bc5367570aeff5bd6f0dd9265b','Sending replies is blocked during this time.','send repli is block dure this time');
INSERT INTO claim_text VALUES(23,X'6f334c0843b2df32abd91da18b7b76f60bb67872f1964a2649fb4571e6d2e2df','Viewers do not use a seat.','viewer do not use a seat');
INSERT INTO claim_text VALUES(24,X'7edb95859219fe781b6e309b57f339f466296b6085c7f4a6a7752a54a517e04f','Go to Settings > Billing > Payment method, choose Replace and enter the new details.','go to set bill payment method choos replac and enter the new detail');
INSERT INTO claim_text VALUES(25,X'88978b91d7e531689220fb0a23802d4230e2ffdc2de716dc8b49c3258e549b03','A seat is used by every person with the role Owner, Admin, Lead or Agent.','a seat is use by everi person with the role owner admin lead or agent');
INSERT INTO claim_text VALUES(26,X'99f139f2913402ffe9f94f5b50c09a961246580d3f82f2c22b008d902977b55a','You only pay for the days that are left in the billing period.','you onli pay for the day that are left in the bill period');
INSERT INTO claim_text VALUES(27,X'b240e1b76ef9a2105d7a8201c6ef5aea9e55a7b3e0a7dcb2390a157a17fa9d0a','Only Owners and Admins can change the payment method.','onli owner and admin can chang the payment method');
INSERT INTO claim_text VALUES(28,X'2ad4b9f3acef98b1620ef9f52ac788763d3f8b715a8ec9a571ed2087a3a0a656','Team covers up to 50 seats and 100 inboxes.','team cover up to 50 seat and 100 inbox');
INSERT INTO claim_text VALUES(29,X'389a3fce5b16d644f9b2a448d47232e0e6ddf58f4b4f3080fe66afa7fd9fa984','You can find every invoice as a PDF under Settings > Billing > Invoices for 7 years.','you can find everi invoic as a pdf under set bill invoic for 7 year');
INSERT INTO claim_text VALUES(30,X'2b1e3a5d27c998cad65fa58ebb0c18c34811bf330a8434fc8026f254e54473d7','The workspace works normally during this time.','the workspac work normal dure this time');
CREATE TABLE bench (
	id INTEGER NOT NULL, 
	at DATETIME NOT NULL, 
	fingerprint TEXT NOT NULL, 
	file TEXT NOT NULL, 
	document JSON NOT NULL, 
	CONSTRAINT pk_bench PRIMARY KEY (id)
);
CREATE TABLE audit_entry (
	id INTEGER NOT NULL, 
	at DATETIME NOT NULL, 
	who TEXT NOT NULL, 
	action VARCHAR(32) NOT NULL, 
	run_id VARCHAR(16), 
	run_name TEXT, 
	subject TEXT, 
	detail TEXT, 
	items INTEGER NOT NULL, 
	CONSTRAINT pk_audit_entry PRIMARY KEY (id)
);
INSERT INTO audit_entry VALUES(1,'2026-11-28 20:40:12.352017','command line: ada','knowledge.saved',NULL,NULL,'2026-09',NULL,8);
INSERT INTO audit_entry VALUES(2,'2026-11-28 20:40:13.436069','command line: ada','knowledge.saved',NULL,NULL,'2026-10',NULL,8);
INSERT INTO audit_entry VALUES(3,'2026-11-28 20:40:15.017925','command line: ada','run.started','xbdmbgm4','september',NULL,'lexical',10);
INSERT INTO audit_entry VALUES(4,'2026-11-28 20:40:17.702381','command line: ada','run.started','fgj9b5nd','october',NULL,'lexical',10);
INSERT INTO audit_entry VALUES(5,'2026-11-28 20:40:20.787667','command line: ada','run.started','ff9x7ac8','september, read',NULL,'embedded',10);
INSERT INTO audit_entry VALUES(6,'2026-11-28 20:40:24.188418','command line: ada','spot_check.drawn','xbdmbgm4','september','Spot-check',NULL,12);
INSERT INTO audit_entry VALUES(7,'2026-11-28 20:40:25.716846','command line: ada','label.given','xbdmbgm4','september',NULL,NULL,12);
INSERT INTO audit_entry VALUES(8,'2026-11-28 20:40:27.455049','command line: ada','label.given','xbdmbgm4','september',NULL,NULL,5);
INSERT INTO audit_entry VALUES(9,'2026-11-28 20:40:29.457711','command line: ada','spot_check.drawn','fgj9b5nd','october','Spot-check',NULL,6);
INSERT INTO audit_entry VALUES(10,'2026-11-28 20:40:30.511732','command line: ada','trend.event_added',NULL,NULL,'New index','2026-10-02T00:00:00+00:00',1);
INSERT INTO audit_entry VALUES(11,'2026-11-28 20:40:31.467310','command line: ada','trend.rule_added',NULL,NULL,'1','below 0.9',1);
INSERT INTO audit_entry VALUES(12,'2026-11-28 20:40:34.257657','command line: ada','knowledge.checked','xbdmbgm4','september','kb-2026-10.jsonl',NULL,0);
INSERT INTO audit_entry VALUES(13,'2026-11-28 20:40:36.386273','command line: ada','dataset.tagged',NULL,NULL,'september','hard',10);
CREATE TABLE knowledge_base (
	version TEXT NOT NULL, 
	source TEXT, 
	created_at DATETIME NOT NULL, 
	chunks INTEGER NOT NULL, 
	CONSTRAINT pk_knowledge_base PRIMARY KEY (version)
);
INSERT INTO knowledge_base VALUES('2026-09','kb-2026-09.jsonl','2026-11-28 20:40:12.300004',8);
INSERT INTO knowledge_base VALUES('2026-10','kb-2026-10.jsonl','2026-11-28 20:40:13.432928',8);
CREATE TABLE event (
	id INTEGER NOT NULL, 
	at DATETIME NOT NULL, 
	kind VARCHAR(16) NOT NULL, 
	label TEXT NOT NULL, 
	kb_version TEXT, 
	created_at DATETIME NOT NULL, 
	created_by TEXT, 
	CONSTRAINT pk_event PRIMARY KEY (id)
);
INSERT INTO event VALUES(1,'2026-10-02 00:00:00.000000','other','New index',NULL,'2026-11-28 20:40:30.511562',NULL);
CREATE TABLE alert_rule (
	id INTEGER NOT NULL, 
	kind VARCHAR(16) NOT NULL, 
	threshold DOUBLE NOT NULL, 
	segment TEXT, 
	created_at DATETIME NOT NULL, 
	created_by TEXT, 
	CONSTRAINT pk_alert_rule PRIMARY KEY (id)
);
INSERT INTO alert_rule VALUES(1,'below',0.9000000000000000222,NULL,'2026-11-28 20:40:31.460310',NULL);
CREATE TABLE knowledge_decision (
	kind VARCHAR(16) NOT NULL, 
	finding TEXT NOT NULL, 
	is_confirmed BOOLEAN NOT NULL, 
	decided_by TEXT, 
	at DATETIME NOT NULL, 
	CONSTRAINT pk_knowledge_decision PRIMARY KEY (kind, finding)
);
CREATE TABLE dataset (
	id INTEGER NOT NULL, 
	name TEXT NOT NULL, 
	created_at DATETIME NOT NULL, 
	CONSTRAINT pk_dataset PRIMARY KEY (id), 
	CONSTRAINT uq_dataset_name UNIQUE (name)
);
INSERT INTO dataset VALUES(1,'september','2026-11-28 20:40:15.013325');
CREATE TABLE saved_mapping (
	id INTEGER NOT NULL, 
	name TEXT NOT NULL, 
	columns_hash VARCHAR(64) NOT NULL, 
	columns JSON NOT NULL, 
	format TEXT NOT NULL, 
	fields JSON NOT NULL, 
	saved_at DATETIME NOT NULL, 
	saved_by TEXT, 
	CONSTRAINT pk_saved_mapping PRIMARY KEY (id), 
	CONSTRAINT uq_saved_mapping_name UNIQUE (name)
);
CREATE TABLE inbox_name (
	id INTEGER NOT NULL, 
	name TEXT NOT NULL, 
	CONSTRAINT pk_inbox_name PRIMARY KEY (id), 
	CONSTRAINT uq_inbox_name_name UNIQUE (name)
);
INSERT INTO inbox_name VALUES(1,'Billing');
INSERT INTO inbox_name VALUES(2,'Invoices and the billing cycle');
INSERT INTO inbox_name VALUES(3,'Payment methods');
INSERT INTO inbox_name VALUES(4,'Plans and prices');
INSERT INTO inbox_name VALUES(5,'Adding and removing seats');
INSERT INTO inbox_name VALUES(6,'Failed payments');
CREATE TABLE inbox_tab (
	id INTEGER NOT NULL, 
	name TEXT NOT NULL, 
	filters JSON NOT NULL, 
	created_by TEXT NOT NULL, 
	created_at DATETIME NOT NULL, 
	CONSTRAINT pk_inbox_tab PRIMARY KEY (id), 
	CONSTRAINT uq_inbox_tab_name UNIQUE (name)
);
CREATE TABLE logged_answer (
	id INTEGER NOT NULL, 
	application TEXT NOT NULL, 
	external_id TEXT NOT NULL, 
	at DATETIME NOT NULL, 
	logged_at DATETIME NOT NULL, 
	question TEXT, 
	answer TEXT, 
	chunks JSON, 
	segment TEXT, 
	extra JSON, 
	fate VARCHAR(16) NOT NULL, 
	inclusion_probability DOUBLE, 
	run_id VARCHAR(16), 
	CONSTRAINT pk_logged_answer PRIMARY KEY (id), 
	CONSTRAINT uq_logged_answer_application_external_id UNIQUE (application, external_id)
);
CREATE TABLE spot_check (
	id INTEGER NOT NULL, 
	name TEXT NOT NULL, 
	created_at DATETIME NOT NULL, 
	created_by TEXT NOT NULL, 
	is_blind BOOLEAN NOT NULL, 
	reviewers_per_item INTEGER NOT NULL, 
	design JSON NOT NULL, 
	population TEXT, 
	CONSTRAINT pk_spot_check PRIMARY KEY (id)
);
INSERT INTO spot_check VALUES(1,'Spot-check','2026-11-28 20:40:24.185349','command line',1,1,'{"size": 12, "unit": "claim", "strata": "none", "prefers_uncertain": false, "regressed_first": false, "regressed_against": null, "seed": 1, "runs": {"xbdmbgm4": {"strata": [{"name": "all", "units": 27, "weight": 1.0000000000000002, "judged": 1.0000000000000002}], "labels_per_unit": 1.0, "answers": 10, "judged_by_another": 0, "first": null}}}',NULL);
INSERT INTO spot_check VALUES(2,'Spot-check','2026-11-28 20:40:29.452490','command line',1,1,'{"size": 6, "unit": "claim", "strata": "none", "prefers_uncertain": false, "regressed_first": false, "regressed_against": null, "seed": 2, "runs": {"fgj9b5nd": {"strata": [{"name": "all", "units": 27, "weight": 1.0000000000000002, "judged": 0.9600000000000002}], "labels_per_unit": 1.0, "answers": 10, "judged_by_another": 0, "first": null}}}',NULL);
CREATE TABLE sample (
	id INTEGER NOT NULL, 
	run_id VARCHAR(16) NOT NULL, 
	position INTEGER NOT NULL, 
	"key" TEXT NOT NULL, 
	question TEXT, 
	answer TEXT NOT NULL, 
	reference TEXT, 
	extra JSON NOT NULL, 
	sample_hash VARCHAR(64) NOT NULL, 
	context_hash VARCHAR(64) NOT NULL, 
	content_hash VARCHAR(64), 
	CONSTRAINT pk_sample PRIMARY KEY (id), 
	CONSTRAINT uq_sample_run_id_position UNIQUE (run_id, position), 
	CONSTRAINT uq_sample_run_id_key UNIQUE (run_id, "key"), 
	CONSTRAINT fk_sample_run_id FOREIGN KEY(run_id) REFERENCES run (id) ON DELETE CASCADE
);
INSERT INTO sample VALUES(1,'xbdmbgm4',1,'bil-01','How much does each Brindlepost plan cost?','Starter costs €9 per seat a month, Team costs €19 and Scale costs €39. Starter covers up to 5 seats and 2 inboxes, while Team covers up to 50 seats and 10 inboxes. Scale has no seat limit. All prices are before tax.','Starter costs €9 per seat a month, Team costs €19 and Scale costs €39. Starter covers up to 5 seats and 2 inboxes, while Team covers up to 50 seats and 10 inboxes. Scale has no seat limit. All prices are before tax.','{}',X'46ad0ffecb2f3b0ec2c7b98916f34b179138de51d146a8c49b1d132446c2fc90',X'2c0d2a8ef5072955a4b6e3a1459dd0550939870a34e807d0633835e748417bba',X'9b1297217e1c96f3d7030f34eead6cab711cedd855153864320d848eb5aeb82c');
INSERT INTO sample VALUES(2,'xbdmbgm4',2,'bil-02','Is it cheaper to pay for a Team seat by the year?','Yes. If you pay by the year you get two months free, so a yearly Team seat costs €190 instead of €228. The charity discount cannot be combined with yearly billing.','Yes. If you pay by the year you get two months free, so a yearly Team seat costs €190 instead of €228. The charity discount cannot be combined with yearly billing.','{}',X'35116b36b63f017cc0ff4ae6fe1f2aa54c7c32d50ed69596586ce7d7149d3a12',X'1863ee8bd0327e3329ca12384b5ebd74726e287cead39a8353b5f702335b1e3e',X'03aac1b491ae63e7f99381722ea72a0ac03076834d57e2f70370c33944586663');
INSERT INTO sample VALUES(3,'xbdmbgm4',3,'bil-03','Do charities get a discount?','Registered charities get 30 % off the Team and Scale plans after sending proof of status to the billing team. The discount cannot be combined with yearly billing. The discount is renewed automatically for schools and hospitals.','Registered charities get 30 % off the Team and Scale plans after sending proof of status to the billing team. The discount cannot be combined with yearly billing.','{}',X'b8414acace9610d7ee4962bf1c154289511878e7f864fccd2e9a1e2e9ce37aac',X'bfacdd55d39bb8c0697db8bdae5a4f569a56944cd58a0d4c5ab8a2553c2e2f35',X'f9e4267a371e3ae36ecd00d799da479e267059f14196c5de8f78fcc7c92b3b19');
INSERT INTO sample VALUES(4,'xbdmbgm4',4,'bil-04','Where can I find my old invoices?','Every invoice is available as a PDF under Settings > Billing > Invoices for 7 years. An invoice is also sent to the billing contact within 24 hours of each charge.','Every invoice is available as a PDF under Settings > Billing > Invoices for 7 years. An invoice is also sent to the billing contact within 24 hours of each charge.','{}',X'c5ef90d05f3102e636606412bb06190b7a3595b1047a56f8e45e4b942be383e9',X'4e6ba244db76445861968e88b18e3a038cc9f1bb438e1789c37bed7d6d5f035c',X'a77b9412c5fccda9106d4d2aab27686e35221d24d8d8a817c396ce9a7d327014');
INSERT INTO sample VALUES(5,'xbdmbgm4',5,'bil-05','Can an invoice be corrected after it was issued?','Invoices that have been issued cannot be edited. The billing team can cancel and reissue an invoice within 30 days. A new company name or billing address appears on the next invoice.','Invoices that have been issued cannot be edited. The billing team can cancel and reissue an invoice within 30 days. A new company name or billing address appears on the next invoice.','{}',X'd497e8aee877cae4d3e948d09ac3a20b0852b83caa897e9696511ddbe8eafd7b',X'c248ac3329a23581d5d930ffa8deb396fcb9809f0d98ab6590a18d972cd11398',X'a206e86b50ba7c14d52d28d26b7c7762b13cd6a37ad6c974ad11516b90b041be');
INSERT INTO sample VALUES(6,'xbdmbgm4',6,'bil-06','Can we pay by direct debit or bank transfer?','SEPA direct debit is accepted, in euros only, and takes up to 5 working days to clear. Bank transfer is offered on yearly Scale subscriptions above €5,000 and must arrive within 30 days of the invoice date.','SEPA direct debit is accepted, in euros only, and takes up to 5 working days to clear. Bank transfer is offered on yearly Scale subscriptions above €5,000 and must arrive within 30 days of the invoice date.','{}',X'2c0df83b66c1459c14dd7e3712a2cf1df425867cbe4c82fe3c85b777a2897aab',X'4b04d9ae5ca61b9e1725df9a8e9f090dd14fe194dc70d0f5cb79f5be30fd3d23',X'eff1a793bad0dd38b625973fcdcbf993b07e2a3adba720eeacbb2ba99b2ecfae');
INSERT INTO sample VALUES(7,'xbdmbgm4',7,'bil-07','Who is allowed to change the payment method?','Only Owners and Admins can change the payment method. Go to Settings > Billing > Payment method, choose Replace and enter the new details. The old method is removed as soon as the new one is confirmed.','Only Owners and Admins can change the payment method. Go to Settings > Billing > Payment method, choose Replace and enter the new details. The old method is removed as soon as the new one is confirmed.','{}',X'8dfb606d6c7dbf7577d89cfdfdcdae5e93aa10145cfdfd65e3216063a9526d65',X'c81f517ef876e1460c456545942d171d04e9c16f53d51ff61301eadb7a217034',X'9c18a7d370971044e6b20d9d08c3a2b6b9a39018cbd239a3734f3442682fc36f');
INSERT INTO sample VALUES(8,'xbdmbgm4',8,'bil-08','What do I pay when I add a seat in the middle of the month?','You only pay for the days that are left in the billing period. This pro-rated amount is charged at once, and your new colleague can start using the seat immediately.','You only pay for the days that are left in the billing period. This pro-rated amount is charged at once, and your new colleague can start using the seat immediately.','{}',X'5dc93c59ce78e63a24284e7157921661163fb4ff5ca58a576979eb66a8885206',X'1863ee8bd0327e3329ca12384b5ebd74726e287cead39a8353b5f702335b1e3e',X'ce6ac48574d0a9bac5084e9d946150b445d626adf8db0568656e5579f3281c01');
INSERT INTO sample VALUES(9,'xbdmbgm4',9,'bil-09','Do Viewers need a paid seat?','No, Viewers do not use a seat. A seat is used by every person with the role Owner, Admin, Lead or Agent.','No, Viewers do not use a seat. A seat is used by every person with the role Owner, Admin, Lead or Agent.','{}',X'68447963667f4f15ab61b0a7b2f2630f37f7ef51e805ed14fa0408e78dc6c4ab',X'b7987c75846268de8dbf59f1e78e7c1b36ad67f8a95d683b805607f900b40e76',X'14e1fcfa866a11dc91f35d92e83785ee9d6746e4b1f00b2c29ba2572ab333695');
INSERT INTO sample VALUES(10,'xbdmbgm4',10,'bil-10','What happens if a payment fails?','If a payment fails, Brindlepost tries again after 3, 7 and 14 days and emails the billing contacts each time. Sending replies is blocked during this time. If the third retry fails as well, the workspace becomes read-only.','If a payment fails, Brindlepost tries again after 3, 7 and 14 days and emails the billing contacts each time. The workspace works normally during this time. If the third retry fails as well, the workspace becomes read-only.','{}',X'01b42e7cf3f4742fe0af56bcd97b3e10801ee261fe8f364a13562e26f5f7ac88',X'7d720283b3324b99ceb69b56939b9f19ded79044b96206f73b5c5417f7252c0e',X'6062a363942ae09f1d22271b51b54998445abe5e9777291cf55742b8e7351f37');
INSERT INTO sample VALUES(11,'fgj9b5nd',1,'bil-01','How much does each Brindlepost plan cost?','Starter costs €9 per seat a month, Team costs €19 and Scale costs €39. Starter covers up to 5 seats and 2 inboxes, while Team covers up to 50 seats and 100 inboxes. Scale has no seat limit. All prices are before tax.','Starter costs €9 per seat a month, Team costs €19 and Scale costs €39. Starter covers up to 5 seats and 2 inboxes, while Team covers up to 50 seats and 10 inboxes. Scale has no seat limit. All prices are before tax.','{}',X'b623304f51d1b5ea95e074f8baf63270360585580fa686bf662f8fef4063b497',X'09783a608056c71f6e1842ff3041fddd3e508400b3b367955246540a775d100d',X'3dfdbd0bf5e3361ec3afb951bb4f82ae22c6c65eef46a2259cc240cedf6ce285');
INSERT INTO sample VALUES(12,'fgj9b5nd',2,'bil-02','Is it cheaper to pay for a Team seat by the year?','Yes. If you pay by the year you get two months free, so a yearly Team seat costs €190 instead of €228. The charity discount cannot be combined with yearly billing.','Yes. If you pay by the year you get two months free, so a yearly Team seat costs €190 instead of €228. The charity discount cannot be combined with yearly billing.','{}',X'35116b36b63f017cc0ff4ae6fe1f2aa54c7c32d50ed69596586ce7d7149d3a12',X'1863ee8bd0327e3329ca12384b5ebd74726e287cead39a8353b5f702335b1e3e',X'03aac1b491ae63e7f99381722ea72a0ac03076834d57e2f70370c33944586663');
INSERT INTO sample VALUES(13,'fgj9b5nd',3,'bil-03','Do charities get a discount?','Registered charities get 30 % off the Team and Scale plans after sending proof of status to the billing team. The discount cannot be combined with yearly billing. The discount is renewed automatically for schools and hospitals.','Registered charities get 30 % off the Team and Scale plans after sending proof of status to the billing team. The discount cannot be combined with yearly billing.','{}',X'b8414acace9610d7ee4962bf1c154289511878e7f864fccd2e9a1e2e9ce37aac',X'bfacdd55d39bb8c0697db8bdae5a4f569a56944cd58a0d4c5ab8a2553c2e2f35',X'f9e4267a371e3ae36ecd00d799da479e267059f14196c5de8f78fcc7c92b3b19');
INSERT INTO sample VALUES(14,'fgj9b5nd',4,'bil-04','Where can I find my old invoices?','You can find every invoice as a PDF under Settings > Billing > Invoices for 7 years. An invoice is also sent to the billing contact within 24 hours of each charge.','Every invoice is available as a PDF under Settings > Billing > Invoices for 7 years. An invoice is also sent to the billing contact within 24 hours of each charge.','{}',X'b56e7c0de0b937f75b265c67c87f1759275ead4c63d1d0e6d1807053be5f9fbb',X'4e6ba244db76445861968e88b18e3a038cc9f1bb438e1789c37bed7d6d5f035c',X'b14dfd5a1684824b6835b1534f85987feca5a6bb2a259d102b953ea29b2e27bc');
INSERT INTO sample VALUES(15,'fgj9b5nd',5,'bil-05','Can an invoice be corrected after it was issued?','Invoices that have been issued cannot be edited. The billing team can cancel and reissue an invoice within 30 days. A new company name or billing address appears on the next invoice.','Invoices that have been issued cannot be edited. The billing team can cancel and reissue an invoice within 30 days. A new company name or billing address appears on the next invoice.','{}',X'e56050290a224f64e4a628de1c7dcf946badcf480c782afccd96e7421da347fe',X'bbd1dd6d0f1cc6d7a0d5c5becb86a6bcd8a929aa310ac93c17b7d8d08f6bf331',X'42af39acdc6501c18148f0f82bb6c92c65fc39c3fc322008ad8717129303bcfb');
INSERT INTO sample VALUES(16,'fgj9b5nd',6,'bil-06','Can we pay by direct debit or bank transfer?','SEPA direct debit is accepted, in euros only, and takes up to 5 working days to clear. Bank transfer is offered on yearly Scale subscriptions above €5,000 and must arrive within 30 days of the invoice date.','SEPA direct debit is accepted, in euros only, and takes up to 5 working days to clear. Bank transfer is offered on yearly Scale subscriptions above €5,000 and must arrive within 30 days of the invoice date.','{}',X'c9c5ed066755974560b0bd182a72d05ef5c270e65ba425311833259784d0bc64',X'fe60a45b3d5cd206c40e77af49fb87f8585d09a9cebdafba0b51978b2d068606',X'6de6c519783064026210940bd2f55278aeb9ead1c23a96e2c17ed9ff8bc8e04c');
INSERT INTO sample VALUES(17,'fgj9b5nd',7,'bil-07','Who is allowed to change the payment method?','Only Owners and Admins can change the payment method. Go to Settings > Billing > Payment method, choose Replace and enter the new details. The old method is removed as soon as the new one is confirmed.','Only Owners and Admins can change the payment method. Go to Settings > Billing > Payment method, choose Replace and enter the new details. The old method is removed as soon as the new one is confirmed.','{}',X'8dfb606d6c7dbf7577d89cfdfdcdae5e93aa10145cfdfd65e3216063a9526d65',X'c81f517ef876e1460c456545942d171d04e9c16f53d51ff61301eadb7a217034',X'9c18a7d370971044e6b20d9d08c3a2b6b9a39018cbd239a3734f3442682fc36f');
INSERT INTO sample VALUES(18,'fgj9b5nd',8,'bil-08','What do I pay when I add a seat in the middle of the month?','You only pay for the days that are left in the billing period. This pro-rated amount is charged at once, and your new colleague can start using the seat immediately.','You only pay for the days that are left in the billing period. This pro-rated amount is charged at once, and your new colleague can start using the seat immediately.','{}',X'5dc93c59ce78e63a24284e7157921661163fb4ff5ca58a576979eb66a8885206',X'1863ee8bd0327e3329ca12384b5ebd74726e287cead39a8353b5f702335b1e3e',X'ce6ac48574d0a9bac5084e9d946150b445d626adf8db0568656e5579f3281c01');
INSERT INTO sample VALUES(19,'fgj9b5nd',9,'bil-09','Do Viewers need a paid seat?','Viewers do not use a seat. A seat is used by every person with the role Owner, Admin, Lead or Agent.','No, Viewers do not use a seat. A seat is used by every person with the role Owner, Admin, Lead or Agent.','{}',X'ac54d53abadbd41009aa7bf4937de209c2f957dfb89d9b4dcc3fbea20d874fc3',X'b7987c75846268de8dbf59f1e78e7c1b36ad67f8a95d683b805607f900b40e76',X'9e7d7534d6ef3254b8e1cc1dcf5df5f72b6528103958e2a8b146dc6663d2f59f');
INSERT INTO sample VALUES(20,'fgj9b5nd',10,'bil-10','What happens if a payment fails?','If a payment fails, Brindlepost tries again after 3, 7 and 14 days and emails the billing contacts each time. The workspace works normally during this time. If the third retry fails as well, the workspace becomes read-only.','If a payment fails, Brindlepost tries again after 3, 7 and 14 days and emails the billing contacts each time. The workspace works normally during this time. If the third retry fails as well, the workspace becomes read-only.','{}',X'0fd5b85caa335e9c75a3b70a1a24e5d11c1154eb95429e6b6648e683fbffd133',X'7d720283b3324b99ceb69b56939b9f19ded79044b96206f73b5c5417f7252c0e',X'388617d5dc493bbd21c3a0190467e22b317b6cee4e843019020f7568d19eaff5');
INSERT INTO sample VALUES(21,'ff9x7ac8',1,'bil-01','How much does each Brindlepost plan cost?','Starter costs €9 per seat a month, Team costs €19 and Scale costs €39. Starter covers up to 5 seats and 2 inboxes, while Team covers up to 50 seats and 10 inboxes. Scale has no seat limit. All prices are before tax.','Starter costs €9 per seat a month, Team costs €19 and Scale costs €39. Starter covers up to 5 seats and 2 inboxes, while Team covers up to 50 seats and 10 inboxes. Scale has no seat limit. All prices are before tax.','{}',X'46ad0ffecb2f3b0ec2c7b98916f34b179138de51d146a8c49b1d132446c2fc90',X'2c0d2a8ef5072955a4b6e3a1459dd0550939870a34e807d0633835e748417bba',X'9b1297217e1c96f3d7030f34eead6cab711cedd855153864320d848eb5aeb82c');
INSERT INTO sample VALUES(22,'ff9x7ac8',2,'bil-02','Is it cheaper to pay for a Team seat by the year?','Yes. If you pay by the year you get two months free, so a yearly Team seat costs €190 instead of €228. The charity discount cannot be combined with yearly billing.','Yes. If you pay by the year you get two months free, so a yearly Team seat costs €190 instead of €228. The charity discount cannot be combined with yearly billing.','{}',X'35116b36b63f017cc0ff4ae6fe1f2aa54c7c32d50ed69596586ce7d7149d3a12',X'1863ee8bd0327e3329ca12384b5ebd74726e287cead39a8353b5f702335b1e3e',X'03aac1b491ae63e7f99381722ea72a0ac03076834d57e2f70370c33944586663');
INSERT INTO sample VALUES(23,'ff9x7ac8',3,'bil-03','Do charities get a discount?','Registered charities get 30 % off the Team and Scale plans after sending proof of status to the billing team. The discount cannot be combined with yearly billing. The discount is renewed automatically for schools and hospitals.','Registered charities get 30 % off the Team and Scale plans after sending proof of status to the billing team. The discount cannot be combined with yearly billing.','{}',X'b8414acace9610d7ee4962bf1c154289511878e7f864fccd2e9a1e2e9ce37aac',X'bfacdd55d39bb8c0697db8bdae5a4f569a56944cd58a0d4c5ab8a2553c2e2f35',X'f9e4267a371e3ae36ecd00d799da479e267059f14196c5de8f78fcc7c92b3b19');
INSERT INTO sample VALUES(24,'ff9x7ac8',4,'bil-04','Where can I find my old invoices?','Every invoice is available as a PDF under Settings > Billing > Invoices for 7 years. An invoice is also sent to the billing contact within 24 hours of each charge.','Every invoice is available as a PDF under Settings > Billing > Invoices for 7 years. An invoice is also sent to the billing contact within 24 hours of each charge.','{}',X'c5ef90d05f3102e636606412bb06190b7a3595b1047a56f8e45e4b942be383e9',X'4e6ba244db76445861968e88b18e3a038cc9f1bb438e1789c37bed7d6d5f035c',X'a77b9412c5fccda9106d4d2aab27686e35221d24d8d8a817c396ce9a7d327014');
INSERT INTO sample VALUES(25,'ff9x7ac8',5,'bil-05','Can an invoice be corrected after it was issued?','Invoices that have been issued cannot be edited. The billing team can cancel and reissue an invoice within 30 days. A new company name or billing address appears on the next invoice.','Invoices that have been issued cannot be edited. The billing team can cancel and reissue an invoice within 30 days. A new company name or billing address appears on the next invoice.','{}',X'd497e8aee877cae4d3e948d09ac3a20b0852b83caa897e9696511ddbe8eafd7b',X'c248ac3329a23581d5d930ffa8deb396fcb9809f0d98ab6590a18d972cd11398',X'a206e86b50ba7c14d52d28d26b7c7762b13cd6a37ad6c974ad11516b90b041be');
INSERT INTO sample VALUES(26,'ff9x7ac8',6,'bil-06','Can we pay by direct debit or bank transfer?','SEPA direct debit is accepted, in euros only, and takes up to 5 working days to clear. Bank transfer is offered on yearly Scale subscriptions above €5,000 and must arrive within 30 days of the invoice date.','SEPA direct debit is accepted, in euros only, and takes up to 5 working days to clear. Bank transfer is offered on yearly Scale subscriptions above €5,000 and must arrive within 30 days of the invoice date.','{}',X'2c0df83b66c1459c14dd7e3712a2cf1df425867cbe4c82fe3c85b777a2897aab',X'4b04d9ae5ca61b9e1725df9a8e9f090dd14fe194dc70d0f5cb79f5be30fd3d23',X'eff1a793bad0dd38b625973fcdcbf993b07e2a3adba720eeacbb2ba99b2ecfae');
INSERT INTO sample VALUES(27,'ff9x7ac8',7,'bil-07','Who is allowed to change the payment method?','Only Owners and Admins can change the payment method. Go to Settings > Billing > Payment method, choose Replace and enter the new details. The old method is removed as soon as the new one is confirmed.','Only Owners and Admins can change the payment method. Go to Settings > Billing > Payment method, choose Replace and enter the new details. The old method is removed as soon as the new one is confirmed.','{}',X'8dfb606d6c7dbf7577d89cfdfdcdae5e93aa10145cfdfd65e3216063a9526d65',X'c81f517ef876e1460c456545942d171d04e9c16f53d51ff61301eadb7a217034',X'9c18a7d370971044e6b20d9d08c3a2b6b9a39018cbd239a3734f3442682fc36f');
INSERT INTO sample VALUES(28,'ff9x7ac8',8,'bil-08','What do I pay when I add a seat in the middle of the month?','You only pay for the days that are left in the billing period. This pro-rated amount is charged at once, and your new colleague can start using the seat immediately.','You only pay for the days that are left in the billing period. This pro-rated amount is charged at once, and your new colleague can start using the seat immediately.','{}',X'5dc93c59ce78e63a24284e7157921661163fb4ff5ca58a576979eb66a8885206',X'1863ee8bd0327e3329ca12384b5ebd74726e287cead39a8353b5f702335b1e3e',X'ce6ac48574d0a9bac5084e9d946150b445d626adf8db0568656e5579f3281c01');
INSERT INTO sample VALUES(29,'ff9x7ac8',9,'bil-09','Do Viewers need a paid seat?','No, Viewers do not use a seat. A seat is used by every person with the role Owner, Admin, Lead or Agent.','No, Viewers do not use a seat. A seat is used by every person with the role Owner, Admin, Lead or Agent.','{}',X'68447963667f4f15ab61b0a7b2f2630f37f7ef51e805ed14fa0408e78dc6c4ab',X'b7987c75846268de8dbf59f1e78e7c1b36ad67f8a95d683b805607f900b40e76',X'14e1fcfa866a11dc91f35d92e83785ee9d6746e4b1f00b2c29ba2572ab333695');
INSERT INTO sample VALUES(30,'ff9x7ac8',10,'bil-10','What happens if a payment fails?','If a payment fails, Brindlepost tries again after 3, 7 and 14 days and emails the billing contacts each time. Sending replies is blocked during this time. If the third retry fails as well, the workspace becomes read-only.','If a payment fails, Brindlepost tries again after 3, 7 and 14 days and emails the billing contacts each time. The workspace works normally during this time. If the third retry fails as well, the workspace becomes read-only.','{}',X'01b42e7cf3f4742fe0af56bcd97b3e10801ee261fe8f364a13562e26f5f7ac88',X'7d720283b3324b99ceb69b56939b9f19ded79044b96206f73b5c5417f7252c0e',X'6062a363942ae09f1d22271b51b54998445abe5e9777291cf55742b8e7351f37');
CREATE TABLE run_batch (
	run_id VARCHAR(16) NOT NULL, 
	state TEXT NOT NULL, 
	CONSTRAINT pk_run_batch PRIMARY KEY (run_id), 
	CONSTRAINT fk_run_batch_run_id FOREIGN KEY(run_id) REFERENCES run (id) ON DELETE CASCADE
);
CREATE TABLE run_intake (
	run_id VARCHAR(16) NOT NULL, 
	reader TEXT NOT NULL, 
	alive_at DATETIME NOT NULL, 
	done INTEGER NOT NULL, 
	error TEXT, 
	origin JSON, 
	dataset TEXT, 
	CONSTRAINT pk_run_intake PRIMARY KEY (run_id), 
	CONSTRAINT fk_run_intake_run_id FOREIGN KEY(run_id) REFERENCES run (id) ON DELETE CASCADE
);
CREATE TABLE kb_chunk (
	version TEXT NOT NULL, 
	position INTEGER NOT NULL, 
	chunk_id INTEGER NOT NULL, 
	external_id TEXT NOT NULL, 
	meta JSON NOT NULL, 
	CONSTRAINT pk_kb_chunk PRIMARY KEY (version, position), 
	CONSTRAINT fk_kb_chunk_version FOREIGN KEY(version) REFERENCES knowledge_base (version) ON DELETE CASCADE, 
	CONSTRAINT fk_kb_chunk_chunk_id FOREIGN KEY(chunk_id) REFERENCES chunk (id)
);
INSERT INTO kb_chunk VALUES('2026-09',1,4,'kb-001-1','{"title": "Plans and prices", "section": "Billing", "article_id": "kb-001", "kb_version": "2026-09"}');
INSERT INTO kb_chunk VALUES('2026-09',2,8,'kb-001-2','{"title": "Plans and prices", "section": "Billing", "article_id": "kb-001", "kb_version": "2026-09"}');
INSERT INTO kb_chunk VALUES('2026-09',3,5,'kb-002-1','{"title": "Invoices and the billing cycle", "section": "Billing", "article_id": "kb-002", "kb_version": "2026-09"}');
INSERT INTO kb_chunk VALUES('2026-09',4,3,'kb-002-2','{"title": "Invoices and the billing cycle", "section": "Billing", "article_id": "kb-002", "kb_version": "2026-09"}');
INSERT INTO kb_chunk VALUES('2026-09',5,2,'kb-003-1','{"title": "Payment methods", "section": "Billing", "article_id": "kb-003", "kb_version": "2026-09"}');
INSERT INTO kb_chunk VALUES('2026-09',6,6,'kb-003-2','{"title": "Payment methods", "section": "Billing", "article_id": "kb-003", "kb_version": "2026-09"}');
INSERT INTO kb_chunk VALUES('2026-09',7,7,'kb-004-1','{"title": "Adding and removing seats", "section": "Billing", "article_id": "kb-004", "kb_version": "2026-09"}');
INSERT INTO kb_chunk VALUES('2026-09',8,1,'kb-004-2','{"title": "Adding and removing seats", "section": "Billing", "article_id": "kb-004", "kb_version": "2026-09"}');
INSERT INTO kb_chunk VALUES('2026-10',1,4,'kb-001-1','{"title": "Plans and prices", "section": "Billing", "article_id": "kb-001", "kb_version": "2026-10"}');
INSERT INTO kb_chunk VALUES('2026-10',2,8,'kb-001-2','{"title": "Plans and prices", "section": "Billing", "article_id": "kb-001", "kb_version": "2026-10"}');
INSERT INTO kb_chunk VALUES('2026-10',3,5,'kb-002-1','{"title": "Invoices and the billing cycle", "section": "Billing", "article_id": "kb-002", "kb_version": "2026-10"}');
INSERT INTO kb_chunk VALUES('2026-10',4,3,'kb-002-2','{"title": "Invoices and the billing cycle", "section": "Billing", "article_id": "kb-002", "kb_version": "2026-10"}');
INSERT INTO kb_chunk VALUES('2026-10',5,2,'kb-003-1','{"title": "Payment methods", "section": "Billing", "article_id": "kb-003", "kb_version": "2026-10"}');
INSERT INTO kb_chunk VALUES('2026-10',6,6,'kb-003-2','{"title": "Payment methods", "section": "Billing", "article_id": "kb-003", "kb_version": "2026-10"}');
INSERT INTO kb_chunk VALUES('2026-10',7,7,'kb-004-1','{"title": "Adding and removing seats", "section": "Billing", "article_id": "kb-004", "kb_version": "2026-10"}');
INSERT INTO kb_chunk VALUES('2026-10',8,1,'kb-004-2','{"title": "Adding and removing seats", "section": "Billing", "article_id": "kb-004", "kb_version": "2026-10"}');
CREATE TABLE comparison (
	baseline_id VARCHAR(16) NOT NULL, 
	candidate_id VARCHAR(16) NOT NULL, 
	"view" VARCHAR(16) NOT NULL, 
	stamp TEXT NOT NULL, 
	document TEXT NOT NULL, 
	CONSTRAINT pk_comparison PRIMARY KEY (baseline_id, candidate_id, "view"), 
	CONSTRAINT fk_comparison_baseline_id FOREIGN KEY(baseline_id) REFERENCES run (id) ON DELETE CASCADE, 
	CONSTRAINT fk_comparison_candidate_id FOREIGN KEY(candidate_id) REFERENCES run (id) ON DELETE CASCADE
);
CREATE TABLE pair_choice (
	id INTEGER NOT NULL, 
	baseline_id VARCHAR(16) NOT NULL, 
	candidate_id VARCHAR(16) NOT NULL, 
	baseline_row INTEGER NOT NULL, 
	candidate_row INTEGER NOT NULL, 
	baseline_claim INTEGER, 
	candidate_claim INTEGER, 
	belong_together BOOLEAN NOT NULL, 
	decided_by TEXT, 
	at DATETIME NOT NULL, 
	CONSTRAINT pk_pair_choice PRIMARY KEY (id), 
	CONSTRAINT fk_pair_choice_baseline_id FOREIGN KEY(baseline_id) REFERENCES run (id) ON DELETE CASCADE, 
	CONSTRAINT fk_pair_choice_candidate_id FOREIGN KEY(candidate_id) REFERENCES run (id) ON DELETE CASCADE
);
CREATE TABLE alert (
	id INTEGER NOT NULL, 
	rule_id INTEGER NOT NULL, 
	run_id VARCHAR(16) NOT NULL, 
	baseline_id VARCHAR(16), 
	at DATETIME NOT NULL, 
	value DOUBLE NOT NULL, 
	message TEXT NOT NULL, 
	is_acknowledged BOOLEAN NOT NULL, 
	posted_at DATETIME, 
	post_error TEXT, 
	CONSTRAINT pk_alert PRIMARY KEY (id), 
	CONSTRAINT uq_alert_rule_id_run_id UNIQUE (rule_id, run_id), 
	CONSTRAINT fk_alert_rule_id FOREIGN KEY(rule_id) REFERENCES alert_rule (id) ON DELETE CASCADE, 
	CONSTRAINT fk_alert_run_id FOREIGN KEY(run_id) REFERENCES run (id) ON DELETE CASCADE
);
CREATE TABLE dataset_version (
	id INTEGER NOT NULL, 
	dataset_id INTEGER NOT NULL, 
	number INTEGER NOT NULL, 
	content_hash VARCHAR(64) NOT NULL, 
	rows INTEGER NOT NULL, 
	created_at DATETIME NOT NULL, 
	CONSTRAINT pk_dataset_version PRIMARY KEY (id), 
	CONSTRAINT uq_dataset_version_dataset_id_content_hash UNIQUE (dataset_id, content_hash), 
	CONSTRAINT uq_dataset_version_dataset_id_number UNIQUE (dataset_id, number), 
	CONSTRAINT fk_dataset_version_dataset_id FOREIGN KEY(dataset_id) REFERENCES dataset (id) ON DELETE CASCADE
);
INSERT INTO dataset_version VALUES(1,1,1,X'b70575c8d5163e4701fccdfda886bb39acd59715eb2eb77e1cd66ea74793e24e',10,'2026-11-28 20:40:15.013325');
INSERT INTO dataset_version VALUES(2,1,2,X'292c6c1d220f664ec973fbc966e0a314fca62d3643e99fca5d5144ed31610003',10,'2026-11-28 20:40:17.693586');
CREATE TABLE dataset_tag (
	dataset_id INTEGER NOT NULL, 
	subject VARCHAR(64) NOT NULL, 
	tag VARCHAR(100) NOT NULL, 
	added_by TEXT NOT NULL, 
	at DATETIME NOT NULL, 
	CONSTRAINT pk_dataset_tag PRIMARY KEY (dataset_id, subject, tag), 
	CONSTRAINT fk_dataset_tag_dataset_id FOREIGN KEY(dataset_id) REFERENCES dataset (id) ON DELETE CASCADE
);
INSERT INTO dataset_tag VALUES(1,X'0a7e7fd4d9e27a647772a507a33c89a409eb6b4b4e5974da7e08f48608dfa2fb','hard','command line','2026-11-28 20:40:36.360171');
INSERT INTO dataset_tag VALUES(1,X'110b64db81c6b45b5a2a1db1a98e693f127e103f80d9ea0a485f531094f89dff','hard','command line','2026-11-28 20:40:36.360171');
INSERT INTO dataset_tag VALUES(1,X'1b6dcbd76233b51271223a30e06d577f58cd2aa83d2c29c6e6a22c9d20fa914f','hard','command line','2026-11-28 20:40:36.360171');
INSERT INTO dataset_tag VALUES(1,X'1ed3292d83d16b312acdc3c4f388db139549f1c2cb700110ad59657be731322f','hard','command line','2026-11-28 20:40:36.360171');
INSERT INTO dataset_tag VALUES(1,X'5452b7bdaed36867e27172ea8992888e39b75a9f1c45b08e232b2d3c469e7e3d','hard','command line','2026-11-28 20:40:36.360171');
INSERT INTO dataset_tag VALUES(1,X'765490a33468f1baafa75bc8d83ed94fe5875937a723a61530751c8c08697ec4','hard','command line','2026-11-28 20:40:36.360171');
INSERT INTO dataset_tag VALUES(1,X'7d01989aea70883a9d3c5689b24518186236f973ca02781a42d05f6bb86a16ce','hard','command line','2026-11-28 20:40:36.360171');
INSERT INTO dataset_tag VALUES(1,X'a9810b242277a162dfb71b953c0641bc67b718f1bdeedf552efcfce8033ff2e9','hard','command line','2026-11-28 20:40:36.360171');
INSERT INTO dataset_tag VALUES(1,X'c264d9d1460693a8c9922f3279a1d37da6fd8dcfaaaab63f75509b530d23f603','hard','command line','2026-11-28 20:40:36.360171');
INSERT INTO dataset_tag VALUES(1,X'effdae0e4147f05c1432a4a0169bd95ad7ed08b90d48db149de411959f17c142','hard','command line','2026-11-28 20:40:36.360171');
CREATE TABLE dataset_held_out (
	dataset_id INTEGER NOT NULL, 
	subject VARCHAR(64) NOT NULL, 
	held_out_by TEXT NOT NULL, 
	at DATETIME NOT NULL, 
	CONSTRAINT pk_dataset_held_out PRIMARY KEY (dataset_id, subject), 
	CONSTRAINT fk_dataset_held_out_dataset_id FOREIGN KEY(dataset_id) REFERENCES dataset (id) ON DELETE CASCADE
);
CREATE TABLE live_window (
	id INTEGER NOT NULL, 
	run_id VARCHAR(16), 
	application TEXT NOT NULL, 
	starts_at DATETIME NOT NULL, 
	ends_at DATETIME NOT NULL, 
	sample_rate DOUBLE NOT NULL, 
	judging TEXT NOT NULL, 
	logged INTEGER NOT NULL, 
	closed_at DATETIME, 
	CONSTRAINT pk_live_window PRIMARY KEY (id), 
	CONSTRAINT uq_live_window_run_id UNIQUE (run_id), 
	CONSTRAINT fk_live_window_run_id FOREIGN KEY(run_id) REFERENCES run (id) ON DELETE CASCADE
);
CREATE TABLE preflight (
	id VARCHAR(16) NOT NULL, 
	run_id VARCHAR(16) NOT NULL, 
	kb_version TEXT NOT NULL, 
	new_version TEXT, 
	source TEXT, 
	content_hash VARCHAR(64) NOT NULL, 
	texts_hash VARCHAR(64) NOT NULL, 
	judge JSON NOT NULL, 
	fingerprint TEXT NOT NULL, 
	is_run_judge BOOLEAN NOT NULL, 
	created_at DATETIME NOT NULL, 
	finished_at DATETIME, 
	counts JSON NOT NULL, 
	documents JSON NOT NULL, 
	answers INTEGER NOT NULL, 
	unplaced INTEGER NOT NULL, 
	CONSTRAINT pk_preflight PRIMARY KEY (id), 
	CONSTRAINT fk_preflight_run_id FOREIGN KEY(run_id) REFERENCES run (id) ON DELETE CASCADE
);
INSERT INTO preflight VALUES('gfwzdjrk','xbdmbgm4','2026-09',NULL,'kb-2026-10.jsonl','f787918fa7a3ed3fd7a45919bb1ac166418e023e745e329c34b940b4fa068d78','db4bccb8d6cd6c9da50574ba97c7d5d791756cce958541f888dba2a8a2e5c468','{"name": "lexical", "method": "claims", "options": {}}','lexical/9+59c6e31c',1,'2026-11-28 20:40:34.230453','2026-11-28 20:40:34.230453','{"added": 0, "edited": 0, "removed": 0, "unchanged": 4, "is_complete": true}','[]',0,12);
CREATE TABLE assignment (
	spot_check_id INTEGER NOT NULL, 
	reviewer TEXT NOT NULL, 
	assigned_by TEXT NOT NULL, 
	at DATETIME NOT NULL, 
	CONSTRAINT pk_assignment PRIMARY KEY (spot_check_id, reviewer), 
	CONSTRAINT fk_assignment_spot_check_id FOREIGN KEY(spot_check_id) REFERENCES spot_check (id) ON DELETE CASCADE
);
CREATE TABLE result (
	sample_id INTEGER NOT NULL, 
	run_id VARCHAR(16) NOT NULL, 
	position INTEGER NOT NULL, 
	state VARCHAR(16) NOT NULL, 
	segment TEXT, 
	timestamp DATETIME, 
	cluster VARCHAR(64) NOT NULL, 
	faithfulness DOUBLE, 
	faithfulness_weighted DOUBLE, 
	is_faithful BOOLEAN, 
	answer_score DOUBLE, 
	claims INTEGER NOT NULL, 
	supported INTEGER NOT NULL, 
	partially_supported INTEGER NOT NULL, 
	not_mentioned INTEGER NOT NULL, 
	contradicted INTEGER NOT NULL, 
	error TEXT, 
	suggestions JSON NOT NULL, 
	seconds DOUBLE NOT NULL, 
	llm_calls INTEGER NOT NULL, 
	cached_calls INTEGER NOT NULL, 
	prompt_tokens INTEGER NOT NULL, 
	completion_tokens INTEGER NOT NULL, 
	cost_usd DOUBLE, 
	raw_reply TEXT, 
	metrics JSON, 
	warnings JSON, 
	cached_prompt_tokens INTEGER, 
	worst_harm DOUBLE, 
	least_confidence DOUBLE, 
	inclusion_probability DOUBLE, 
	CONSTRAINT pk_result PRIMARY KEY (sample_id), 
	CONSTRAINT fk_result_sample_id FOREIGN KEY(sample_id) REFERENCES sample (id) ON DELETE CASCADE
);
INSERT INTO result VALUES(1,'xbdmbgm4',1,'judged','Billing','2026-10-12 07:00:00.000000',X'5452b7bdaed36867e27172ea8992888e39b75a9f1c45b08e232b2d3c469e7e3d',1.0,1.0,1,0.93511599999999994725,5,5,0,0,0,NULL,'[]',0.027397645000064585474,0,0,0,0,NULL,NULL,NULL,NULL,0,0.0,0.99190299999999997915,NULL);
INSERT INTO result VALUES(2,'xbdmbgm4',2,'judged','Billing','2026-10-12 07:00:41.000000',X'effdae0e4147f05c1432a4a0169bd95ad7ed08b90d48db149de411959f17c142',1.0,1.0,1,0.96647400000000005526,2,2,0,0,0,NULL,'[]',0.010888087000012092175,0,0,0,0,NULL,NULL,NULL,NULL,0,0.0,0.99511000000000005005,NULL);
INSERT INTO result VALUES(3,'xbdmbgm4',3,'judged','Billing','2026-10-12 07:01:22.000000',X'0a7e7fd4d9e27a647772a507a33c89a409eb6b4b4e5974da7e08f48608dfa2fb',1.0,1.0,1,0.4534679999999999822,3,3,0,0,0,NULL,'[]',0.012463510000088717788,0,0,0,0,NULL,NULL,NULL,NULL,0,0.0,0.73257399999999994744,NULL);
INSERT INTO result VALUES(4,'xbdmbgm4',4,'judged','Billing','2026-10-12 07:02:03.000000',X'765490a33468f1baafa75bc8d83ed94fe5875937a723a61530751c8c08697ec4',1.0,1.0,1,0.95111999999999996546,2,2,0,0,0,NULL,'[]',0.011097687999836125527,0,0,0,0,NULL,NULL,NULL,NULL,0,0.0,0.99346199999999995622,NULL);
INSERT INTO result VALUES(5,'xbdmbgm4',5,'judged','Billing','2026-10-12 07:02:44.000000',X'7d01989aea70883a9d3c5689b24518186236f973ca02781a42d05f6bb86a16ce',1.0,1.0,1,0.93115800000000004121,3,3,0,0,0,NULL,'[]',0.0088421460000063234474,0,0,0,0,NULL,NULL,NULL,NULL,0,0.0,0.99011899999999997135,NULL);
INSERT INTO result VALUES(6,'xbdmbgm4',6,'judged','Billing','2026-10-12 07:03:25.000000',X'1ed3292d83d16b312acdc3c4f388db139549f1c2cb700110ad59657be731322f',1.0,1.0,1,0.95340400000000002922,2,2,0,0,0,NULL,'[]',0.012707330000012007076,0,0,0,0,NULL,NULL,NULL,NULL,0,0.0,0.99354799999999998671,NULL);
INSERT INTO result VALUES(7,'xbdmbgm4',7,'judged','Billing','2026-10-12 07:04:06.000000',X'c264d9d1460693a8c9922f3279a1d37da6fd8dcfaaaab63f75509b530d23f603',1.0,1.0,1,0.96899999999999997246,3,3,0,0,0,NULL,'[]',0.013475767000045379973,0,0,0,0,NULL,NULL,NULL,NULL,0,0.0,0.99640700000000004266,NULL);
INSERT INTO result VALUES(8,'xbdmbgm4',8,'judged','Billing','2026-10-12 07:04:47.000000',X'a9810b242277a162dfb71b953c0641bc67b718f1bdeedf552efcfce8033ff2e9',1.0,1.0,1,0.63451999999999997292,2,2,0,0,0,NULL,'[]',0.0034495209999931830679,0,0,0,0,NULL,NULL,NULL,NULL,0,0.0,0.89745600000000003149,NULL);
INSERT INTO result VALUES(9,'xbdmbgm4',9,'judged','Billing','2026-10-12 07:05:28.000000',X'1b6dcbd76233b51271223a30e06d577f58cd2aa83d2c29c6e6a22c9d20fa914f',1.0,1.0,1,0.9704399999999999693,2,2,0,0,0,NULL,'[]',0.0031734159999814437469,0,0,0,0,NULL,NULL,NULL,NULL,0,0.0,0.9958949999999999747,NULL);
INSERT INTO result VALUES(10,'xbdmbgm4',10,'judged','Billing','2026-10-12 07:06:09.000000',X'110b64db81c6b45b5a2a1db1a98e693f127e103f80d9ea0a485f531094f89dff',1.0,1.0,1,0.83933999999999997498,3,3,0,0,0,NULL,'[]',0.013711402999888377962,0,0,0,0,NULL,NULL,NULL,NULL,0,0.0,0.97304900000000005277,NULL);
INSERT INTO result VALUES(11,'fgj9b5nd',1,'judged','Billing','2026-10-19 07:00:00.000000',X'5452b7bdaed36867e27172ea8992888e39b75a9f1c45b08e232b2d3c469e7e3d',0.59999999999999997779,0.5,0,0.207497999999999988,5,3,1,0,1,NULL,'[]',0.017144897999969543889,0,0,0,0,NULL,NULL,NULL,NULL,0,1.8500000000000000888,0.29999999999999998889,NULL);
INSERT INTO result VALUES(12,'fgj9b5nd',2,'judged','Billing','2026-10-19 07:00:41.000000',X'effdae0e4147f05c1432a4a0169bd95ad7ed08b90d48db149de411959f17c142',1.0,1.0,1,0.96647400000000005526,2,2,0,0,0,NULL,'[]',0.0063471299999946495518,0,0,0,0,NULL,NULL,NULL,NULL,0,0.0,0.99511000000000005005,NULL);
INSERT INTO result VALUES(13,'fgj9b5nd',3,'judged','Billing','2026-10-19 07:01:22.000000',X'0a7e7fd4d9e27a647772a507a33c89a409eb6b4b4e5974da7e08f48608dfa2fb',1.0,1.0,1,0.4534679999999999822,3,3,0,0,0,NULL,'[]',0.0058993970001210982445,0,0,0,0,NULL,NULL,NULL,NULL,0,0.0,0.73257399999999994744,NULL);
INSERT INTO result VALUES(14,'fgj9b5nd',4,'judged','Billing','2026-10-19 07:02:03.000000',X'765490a33468f1baafa75bc8d83ed94fe5875937a723a61530751c8c08697ec4',1.0,1.0,1,0.9240319999999999645,2,2,0,0,0,NULL,'[]',0.0049015199999757896875,0,0,0,0,NULL,NULL,NULL,NULL,0,0.0,0.98906899999999997596,NULL);
INSERT INTO result VALUES(15,'fgj9b5nd',5,'judged','Billing','2026-10-19 07:02:44.000000',X'7d01989aea70883a9d3c5689b24518186236f973ca02781a42d05f6bb86a16ce',1.0,1.0,1,0.93115800000000004121,3,3,0,0,0,NULL,'[]',0.0053136399999402783578,0,0,0,0,NULL,NULL,NULL,NULL,0,0.0,0.99011899999999997135,NULL);
INSERT INTO result VALUES(16,'fgj9b5nd',6,'judged','Billing','2026-10-19 07:03:25.000000',X'1ed3292d83d16b312acdc3c4f388db139549f1c2cb700110ad59657be731322f',1.0,1.0,1,0.95377900000000004343,2,2,0,0,0,NULL,'[]',0.0093196960001478146295,0,0,0,0,NULL,NULL,NULL,NULL,0,0.0,0.99361800000000000121,NULL);
INSERT INTO result VALUES(17,'fgj9b5nd',7,'judged','Billing','2026-10-19 07:04:06.000000',X'c264d9d1460693a8c9922f3279a1d37da6fd8dcfaaaab63f75509b530d23f603',1.0,1.0,1,0.96899999999999997246,3,3,0,0,0,NULL,'[]',0.0091692240000611491268,0,0,0,0,NULL,NULL,NULL,NULL,0,0.0,0.99640700000000004266,NULL);
INSERT INTO result VALUES(18,'fgj9b5nd',8,'judged','Billing','2026-10-19 07:04:47.000000',X'a9810b242277a162dfb71b953c0641bc67b718f1bdeedf552efcfce8033ff2e9',1.0,1.0,1,0.63451999999999997292,2,2,0,0,0,NULL,'[]',0.0076492499999858409864,0,0,0,0,NULL,NULL,NULL,NULL,0,0.0,0.89745600000000003149,NULL);
INSERT INTO result VALUES(19,'fgj9b5nd',9,'judged','Billing','2026-10-19 07:05:28.000000',X'1b6dcbd76233b51271223a30e06d577f58cd2aa83d2c29c6e6a22c9d20fa914f',1.0,1.0,1,0.9704399999999999693,2,2,0,0,0,NULL,'[]',0.0032110910001392767298,0,0,0,0,NULL,NULL,NULL,NULL,0,0.0,0.9958949999999999747,NULL);
INSERT INTO result VALUES(20,'fgj9b5nd',10,'judged','Billing','2026-10-19 07:06:09.000000',X'110b64db81c6b45b5a2a1db1a98e693f127e103f80d9ea0a485f531094f89dff',1.0,1.0,1,0.92492200000000002191,3,3,0,0,0,NULL,'[]',0.0091545709999536484247,0,0,0,0,NULL,NULL,NULL,NULL,0,0.0,0.98858800000000002228,NULL);
INSERT INTO result VALUES(21,'ff9x7ac8',1,'judged','Billing','2026-10-12 07:00:00.000000',X'5452b7bdaed36867e27172ea8992888e39b75a9f1c45b08e232b2d3c469e7e3d',1.0,1.0,1,0.9687000000000000055,5,5,0,0,0,NULL,'[]',0.036000644000068859895,0,0,0,0,NULL,NULL,NULL,NULL,0,0.0,0.98450000000000004174,NULL);
INSERT INTO result VALUES(22,'ff9x7ac8',2,'judged','Billing','2026-10-12 07:00:41.000000',X'effdae0e4147f05c1432a4a0169bd95ad7ed08b90d48db149de411959f17c142',1.0,1.0,1,0.66979999999999995097,2,2,0,0,0,NULL,'[]',0.11024251599997114681,0,0,0,0,NULL,NULL,NULL,NULL,0,0.0,0.79320000000000001616,NULL);
INSERT INTO result VALUES(23,'ff9x7ac8',3,'judged','Billing','2026-10-12 07:01:22.000000',X'0a7e7fd4d9e27a647772a507a33c89a409eb6b4b4e5974da7e08f48608dfa2fb',0.66666666666666662965,0.66666666666666662965,0,0.12740000000000001323,3,2,0,1,0,NULL,'[]',0.12634672800004409509,0,0,0,0,NULL,NULL,NULL,NULL,0,0.43249999999999999555,0.86499999999999999111,NULL);
INSERT INTO result VALUES(24,'ff9x7ac8',4,'judged','Billing','2026-10-12 07:02:03.000000',X'765490a33468f1baafa75bc8d83ed94fe5875937a723a61530751c8c08697ec4',1.0,1.0,1,0.67239999999999999769,2,2,0,0,0,NULL,'[]',0.082323023999833822017,0,0,0,0,NULL,NULL,NULL,NULL,0,0.0,0.80010000000000003339,NULL);
INSERT INTO result VALUES(25,'ff9x7ac8',5,'judged','Billing','2026-10-12 07:02:44.000000',X'7d01989aea70883a9d3c5689b24518186236f973ca02781a42d05f6bb86a16ce',1.0,1.0,1,0.66439999999999999058,3,3,0,0,0,NULL,'[]',0.11431098000002748449,0,0,0,0,NULL,NULL,NULL,NULL,0,0.0,0.79569999999999996287,NULL);
INSERT INTO result VALUES(26,'ff9x7ac8',6,'judged','Billing','2026-10-12 07:03:25.000000',X'1ed3292d83d16b312acdc3c4f388db139549f1c2cb700110ad59657be731322f',1.0,1.0,1,0.56840000000000001634,2,2,0,0,0,NULL,'[]',0.088179891999971005134,0,0,0,0,NULL,NULL,NULL,NULL,0,0.0,0.71650000000000002575,NULL);
INSERT INTO result VALUES(27,'ff9x7ac8',7,'judged','Billing','2026-10-12 07:04:06.000000',X'c264d9d1460693a8c9922f3279a1d37da6fd8dcfaaaab63f75509b530d23f603',1.0,1.0,1,0.88509999999999999786,3,3,0,0,0,NULL,'[]',0.13650048999988939613,0,0,0,0,NULL,NULL,NULL,NULL,0,0.0,0.93500000000000005329,NULL);
INSERT INTO result VALUES(28,'ff9x7ac8',8,'judged','Billing','2026-10-12 07:04:47.000000',X'a9810b242277a162dfb71b953c0641bc67b718f1bdeedf552efcfce8033ff2e9',1.0,1.0,1,0.55459999999999998188,2,2,0,0,0,NULL,'[]',0.082230090000166455865,0,0,0,0,NULL,NULL,NULL,NULL,0,0.0,0.68730000000000002202,NULL);
INSERT INTO result VALUES(29,'ff9x7ac8',9,'judged','Billing','2026-10-12 07:05:28.000000',X'1b6dcbd76233b51271223a30e06d577f58cd2aa83d2c29c6e6a22c9d20fa914f',1.0,1.0,1,0.91049999999999997601,2,2,0,0,0,NULL,'[]',0.076694790999908946105,0,0,0,0,NULL,NULL,NULL,NULL,0,0.0,0.94999999999999995559,NULL);
INSERT INTO result VALUES(30,'ff9x7ac8',10,'judged','Billing','2026-10-12 07:06:09.000000',X'110b64db81c6b45b5a2a1db1a98e693f127e103f80d9ea0a485f531094f89dff',0.66666666666666662965,0.33333333333333331482,0,0.2980999999999999761,3,2,0,0,1,NULL,'[]',0.10900721500001964159,0,0,0,0,NULL,NULL,NULL,NULL,0,1.5851999999999999424,0.58520000000000005346,NULL);
CREATE TABLE sample_chunk (
	sample_id INTEGER NOT NULL, 
	position INTEGER NOT NULL, 
	chunk_id INTEGER NOT NULL, 
	external_id TEXT NOT NULL, 
	rank INTEGER NOT NULL, 
	score DOUBLE, 
	meta JSON NOT NULL, 
	CONSTRAINT pk_sample_chunk PRIMARY KEY (sample_id, position), 
	CONSTRAINT fk_sample_chunk_sample_id FOREIGN KEY(sample_id) REFERENCES sample (id) ON DELETE CASCADE, 
	CONSTRAINT fk_sample_chunk_chunk_id FOREIGN KEY(chunk_id) REFERENCES chunk (id)
)
 WITHOUT ROWID

;
INSERT INTO sample_chunk VALUES(1,0,4,'kb-001-1',1,9.5622000000000006991,'{"title": "Plans and prices", "section": "Billing", "kb_version": "2026-09"}');
INSERT INTO sample_chunk VALUES(1,1,8,'kb-001-2',2,5.4503000000000003666,'{"title": "Plans and prices", "section": "Billing", "kb_version": "2026-09"}');
INSERT INTO sample_chunk VALUES(1,2,18,'kb-026-1',3,5.3136999999999998678,'{"title": "Rule actions and limits", "section": "Automation", "kb_version": "2026-09"}');
INSERT INTO sample_chunk VALUES(1,3,16,'kb-005-1',4,4.606099999999999639,'{"title": "Failed payments", "section": "Billing", "kb_version": "2026-09"}');
INSERT INTO sample_chunk VALUES(2,0,8,'kb-001-2',1,10.639799999999999258,'{"title": "Plans and prices", "section": "Billing", "kb_version": "2026-09"}');
INSERT INTO sample_chunk VALUES(2,1,7,'kb-004-1',2,8.9631000000000007332,'{"title": "Adding and removing seats", "section": "Billing", "kb_version": "2026-09"}');
INSERT INTO sample_chunk VALUES(2,2,4,'kb-001-1',3,5.8323999999999998067,'{"title": "Plans and prices", "section": "Billing", "kb_version": "2026-09"}');
INSERT INTO sample_chunk VALUES(2,3,1,'kb-004-2',4,4.9501999999999997115,'{"title": "Adding and removing seats", "section": "Billing", "kb_version": "2026-09"}');
INSERT INTO sample_chunk VALUES(3,0,8,'kb-001-2',1,12.586000000000000298,'{"title": "Plans and prices", "section": "Billing", "kb_version": "2026-09"}');
INSERT INTO sample_chunk VALUES(3,1,17,'kb-031-1',2,2.258199999999999985,'{"title": "Satisfaction surveys", "section": "Automation", "kb_version": "2026-09"}');
INSERT INTO sample_chunk VALUES(3,2,11,'kb-010-2',3,2.1648999999999998244,'{"title": "Inviting people", "section": "Accounts and roles", "kb_version": "2026-09"}');
INSERT INTO sample_chunk VALUES(3,3,20,'kb-014-2',4,2.1648999999999998244,'{"title": "Teams", "section": "Accounts and roles", "kb_version": "2026-09"}');
INSERT INTO sample_chunk VALUES(4,0,3,'kb-002-2',1,5.0107999999999996987,'{"title": "Invoices and the billing cycle", "section": "Billing", "kb_version": "2026-09"}');
INSERT INTO sample_chunk VALUES(4,1,5,'kb-002-1',2,4.857400000000000162,'{"title": "Invoices and the billing cycle", "section": "Billing", "kb_version": "2026-09"}');
INSERT INTO sample_chunk VALUES(4,2,10,'kb-008-2',3,3.9472999999999998088,'{"title": "Taxes and VAT", "section": "Billing", "kb_version": "2026-09"}');
INSERT INTO sample_chunk VALUES(4,3,13,'kb-012-2',4,3.705200000000000049,'{"title": "Transferring ownership", "section": "Accounts and roles", "kb_version": "2026-09"}');
INSERT INTO sample_chunk VALUES(5,0,3,'kb-002-2',1,8.7537000000000002586,'{"title": "Invoices and the billing cycle", "section": "Billing", "kb_version": "2026-09"}');
INSERT INTO sample_chunk VALUES(5,1,10,'kb-008-2',2,7.2073000000000000397,'{"title": "Taxes and VAT", "section": "Billing", "kb_version": "2026-09"}');
INSERT INTO sample_chunk VALUES(5,2,5,'kb-002-1',3,4.857400000000000162,'{"title": "Invoices and the billing cycle", "section": "Billing", "kb_version": "2026-09"}');
INSERT INTO sample_chunk VALUES(5,3,15,'kb-019-1',4,4.8273000000000001463,'{"title": "Attachments", "section": "Inboxes", "kb_version": "2026-09"}');
INSERT INTO sample_chunk VALUES(6,0,2,'kb-003-1',1,18.323299999999999698,'{"title": "Payment methods", "section": "Billing", "kb_version": "2026-09"}');
INSERT INTO sample_chunk VALUES(6,1,12,'kb-016-1',2,5.0637999999999996347,'{"title": "Connecting an email address", "section": "Inboxes", "kb_version": "2026-09"}');
INSERT INTO sample_chunk VALUES(6,2,19,'kb-053-1',3,4.1787999999999998479,'{"title": "Transfers in rules, reports and the apps", "section": "Conversations", "kb_version": "2026-09"}');
INSERT INTO sample_chunk VALUES(6,3,7,'kb-004-1',4,4.0658000000000003026,'{"title": "Adding and removing seats", "section": "Billing", "kb_version": "2026-09"}');
INSERT INTO sample_chunk VALUES(7,0,6,'kb-003-2',1,13.375799999999999911,'{"title": "Payment methods", "section": "Billing", "kb_version": "2026-09"}');
INSERT INTO sample_chunk VALUES(7,1,2,'kb-003-1',2,7.4432999999999998053,'{"title": "Payment methods", "section": "Billing", "kb_version": "2026-09"}');
INSERT INTO sample_chunk VALUES(7,2,16,'kb-005-1',3,5.0561999999999995836,'{"title": "Failed payments", "section": "Billing", "kb_version": "2026-09"}');
INSERT INTO sample_chunk VALUES(7,3,9,'kb-005-2',4,4.5926999999999997825,'{"title": "Failed payments", "section": "Billing", "kb_version": "2026-09"}');
INSERT INTO sample_chunk VALUES(8,0,7,'kb-004-1',1,16.414200000000001011,'{"title": "Adding and removing seats", "section": "Billing", "kb_version": "2026-09"}');
INSERT INTO sample_chunk VALUES(8,1,8,'kb-001-2',2,9.284399999999999764,'{"title": "Plans and prices", "section": "Billing", "kb_version": "2026-09"}');
INSERT INTO sample_chunk VALUES(8,2,4,'kb-001-1',3,8.176999999999999602,'{"title": "Plans and prices", "section": "Billing", "kb_version": "2026-09"}');
INSERT INTO sample_chunk VALUES(8,3,1,'kb-004-2',4,7.6696999999999997399,'{"title": "Adding and removing seats", "section": "Billing", "kb_version": "2026-09"}');
INSERT INTO sample_chunk VALUES(9,0,7,'kb-004-1',1,7.4249000000000000554,'{"title": "Adding and removing seats", "section": "Billing", "kb_version": "2026-09"}');
INSERT INTO sample_chunk VALUES(9,1,11,'kb-010-2',2,5.1919000000000004035,'{"title": "Inviting people", "section": "Accounts and roles", "kb_version": "2026-09"}');
INSERT INTO sample_chunk VALUES(9,2,1,'kb-004-2',3,4.9501999999999997115,'{"title": "Adding and removing seats", "section": "Billing", "kb_version": "2026-09"}');
INSERT INTO sample_chunk VALUES(9,3,3,'kb-002-2',4,4.8959999999999999076,'{"title": "Invoices and the billing cycle", "section": "Billing", "kb_version": "2026-09"}');
INSERT INTO sample_chunk VALUES(10,0,9,'kb-005-2',1,8.8432999999999992724,'{"title": "Failed payments", "section": "Billing", "kb_version": "2026-09"}');
INSERT INTO sample_chunk VALUES(10,1,16,'kb-005-1',2,8.6328999999999993519,'{"title": "Failed payments", "section": "Billing", "kb_version": "2026-09"}');
INSERT INTO sample_chunk VALUES(10,2,6,'kb-003-2',3,5.3628999999999997783,'{"title": "Payment methods", "section": "Billing", "kb_version": "2026-09"}');
INSERT INTO sample_chunk VALUES(10,3,14,'kb-039-2',4,4.3373999999999997001,'{"title": "Webhooks", "section": "Integrations", "kb_version": "2026-09"}');
INSERT INTO sample_chunk VALUES(11,0,4,'kb-001-1',1,9.4323999999999994514,'{"title": "Plans and prices", "section": "Billing", "kb_version": "2026-10"}');
INSERT INTO sample_chunk VALUES(11,1,8,'kb-001-2',2,5.3014000000000001122,'{"title": "Plans and prices", "section": "Billing", "kb_version": "2026-10"}');
INSERT INTO sample_chunk VALUES(11,2,18,'kb-026-1',3,5.1694000000000004391,'{"title": "Rule actions and limits", "section": "Automation", "kb_version": "2026-10"}');
INSERT INTO sample_chunk VALUES(11,3,22,'kb-057-1',4,4.8795000000000001705,'{"title": "Accepting and returning handovers", "section": "Handovers", "kb_version": "2026-10"}');
INSERT INTO sample_chunk VALUES(12,0,8,'kb-001-2',1,10.661599999999999965,'{"title": "Plans and prices", "section": "Billing", "kb_version": "2026-10"}');
INSERT INTO sample_chunk VALUES(12,1,7,'kb-004-1',2,8.9238999999999997214,'{"title": "Adding and removing seats", "section": "Billing", "kb_version": "2026-10"}');
INSERT INTO sample_chunk VALUES(12,2,4,'kb-001-1',3,5.5744999999999995665,'{"title": "Plans and prices", "section": "Billing", "kb_version": "2026-10"}');
INSERT INTO sample_chunk VALUES(12,3,1,'kb-004-2',4,4.7637000000000000454,'{"title": "Adding and removing seats", "section": "Billing", "kb_version": "2026-10"}');
INSERT INTO sample_chunk VALUES(13,0,8,'kb-001-2',1,12.979200000000000514,'{"title": "Plans and prices", "section": "Billing", "kb_version": "2026-10"}');
INSERT INTO sample_chunk VALUES(13,1,17,'kb-031-1',2,2.3264999999999997903,'{"title": "Satisfaction surveys", "section": "Automation", "kb_version": "2026-10"}');
INSERT INTO sample_chunk VALUES(13,2,11,'kb-010-2',3,2.2303999999999999381,'{"title": "Inviting people", "section": "Accounts and roles", "kb_version": "2026-10"}');
INSERT INTO sample_chunk VALUES(13,3,20,'kb-014-2',4,2.2303999999999999381,'{"title": "Teams", "section": "Accounts and roles", "kb_version": "2026-10"}');
INSERT INTO sample_chunk VALUES(14,0,3,'kb-002-2',1,5.2491000000000003211,'{"title": "Invoices and the billing cycle", "section": "Billing", "kb_version": "2026-10"}');
INSERT INTO sample_chunk VALUES(14,1,5,'kb-002-1',2,5.0884000000000000341,'{"title": "Invoices and the billing cycle", "section": "Billing", "kb_version": "2026-10"}');
INSERT INTO sample_chunk VALUES(14,2,10,'kb-008-2',3,4.1352999999999999758,'{"title": "Taxes and VAT", "section": "Billing", "kb_version": "2026-10"}');
INSERT INTO sample_chunk VALUES(14,3,13,'kb-012-2',4,3.8504000000000000447,'{"title": "Transferring ownership", "section": "Accounts and roles", "kb_version": "2026-10"}');
INSERT INTO sample_chunk VALUES(15,0,3,'kb-002-2',1,9.1258999999999996788,'{"title": "Invoices and the billing cycle", "section": "Billing", "kb_version": "2026-10"}');
INSERT INTO sample_chunk VALUES(15,1,10,'kb-008-2',2,6.7731000000000003424,'{"title": "Taxes and VAT", "section": "Billing", "kb_version": "2026-10"}');
INSERT INTO sample_chunk VALUES(15,2,5,'kb-002-1',3,5.0884000000000000341,'{"title": "Invoices and the billing cycle", "section": "Billing", "kb_version": "2026-10"}');
INSERT INTO sample_chunk VALUES(15,3,23,'kb-017-2',4,4.4249999999999998223,'{"title": "Forwarding and domain records", "section": "Inboxes", "kb_version": "2026-10"}');
INSERT INTO sample_chunk VALUES(16,0,2,'kb-003-1',1,18.98160000000000025,'{"title": "Payment methods", "section": "Billing", "kb_version": "2026-10"}');
INSERT INTO sample_chunk VALUES(16,1,12,'kb-016-1',2,5.2446000000000001506,'{"title": "Connecting an email address", "section": "Inboxes", "kb_version": "2026-10"}');
INSERT INTO sample_chunk VALUES(16,2,19,'kb-053-1',3,4.4179000000000003822,'{"title": "Transfers in rules, reports and the apps", "section": "Conversations", "kb_version": "2026-10"}');
INSERT INTO sample_chunk VALUES(16,3,21,'kb-052-1',4,4.2309999999999998721,'{"title": "Transferring a conversation to another inbox", "section": "Conversations", "kb_version": "2026-10"}');
INSERT INTO sample_chunk VALUES(17,0,6,'kb-003-2',1,13.910500000000000752,'{"title": "Payment methods", "section": "Billing", "kb_version": "2026-10"}');
INSERT INTO sample_chunk VALUES(17,1,2,'kb-003-1',2,7.7587999999999999189,'{"title": "Payment methods", "section": "Billing", "kb_version": "2026-10"}');
INSERT INTO sample_chunk VALUES(17,2,16,'kb-005-1',3,5.2644999999999999573,'{"title": "Failed payments", "section": "Billing", "kb_version": "2026-10"}');
INSERT INTO sample_chunk VALUES(17,3,9,'kb-005-2',4,4.7991999999999999104,'{"title": "Failed payments", "section": "Billing", "kb_version": "2026-10"}');
INSERT INTO sample_chunk VALUES(18,0,7,'kb-004-1',1,16.540099999999998914,'{"title": "Adding and removing seats", "section": "Billing", "kb_version": "2026-10"}');
INSERT INTO sample_chunk VALUES(18,1,8,'kb-001-2',2,9.3759999999999994457,'{"title": "Plans and prices", "section": "Billing", "kb_version": "2026-10"}');
INSERT INTO sample_chunk VALUES(18,2,4,'kb-001-1',3,8.0632999999999999118,'{"title": "Plans and prices", "section": "Billing", "kb_version": "2026-10"}');
INSERT INTO sample_chunk VALUES(18,3,1,'kb-004-2',4,7.5019999999999997797,'{"title": "Adding and removing seats", "section": "Billing", "kb_version": "2026-10"}');
INSERT INTO sample_chunk VALUES(19,0,7,'kb-004-1',1,7.3853999999999997427,'{"title": "Adding and removing seats", "section": "Billing", "kb_version": "2026-10"}');
INSERT INTO sample_chunk VALUES(19,1,11,'kb-010-2',2,5.2271000000000000795,'{"title": "Inviting people", "section": "Accounts and roles", "kb_version": "2026-10"}');
INSERT INTO sample_chunk VALUES(19,2,1,'kb-004-2',3,4.7637000000000000454,'{"title": "Adding and removing seats", "section": "Billing", "kb_version": "2026-10"}');
INSERT INTO sample_chunk VALUES(19,3,3,'kb-002-2',4,4.7009999999999996234,'{"title": "Invoices and the billing cycle", "section": "Billing", "kb_version": "2026-10"}');
INSERT INTO sample_chunk VALUES(20,0,9,'kb-005-2',1,9.2293000000000002813,'{"title": "Failed payments", "section": "Billing", "kb_version": "2026-10"}');
INSERT INTO sample_chunk VALUES(20,1,16,'kb-005-1',2,9.0079999999999991189,'{"title": "Failed payments", "section": "Billing", "kb_version": "2026-10"}');
INSERT INTO sample_chunk VALUES(20,2,6,'kb-003-2',3,5.6037999999999996703,'{"title": "Payment methods", "section": "Billing", "kb_version": "2026-10"}');
INSERT INTO sample_chunk VALUES(20,3,14,'kb-039-2',4,4.5205000000000001847,'{"title": "Webhooks", "section": "Integrations", "kb_version": "2026-10"}');
INSERT INTO sample_chunk VALUES(21,0,4,'kb-001-1',1,9.5622000000000006991,'{"title": "Plans and prices", "section": "Billing", "kb_version": "2026-09"}');
INSERT INTO sample_chunk VALUES(21,1,8,'kb-001-2',2,5.4503000000000003666,'{"title": "Plans and prices", "section": "Billing", "kb_version": "2026-09"}');
INSERT INTO sample_chunk VALUES(21,2,18,'kb-026-1',3,5.3136999999999998678,'{"title": "Rule actions and limits", "section": "Automation", "kb_version": "2026-09"}');
INSERT INTO sample_chunk VALUES(21,3,16,'kb-005-1',4,4.606099999999999639,'{"title": "Failed payments", "section": "Billing", "kb_version": "2026-09"}');
INSERT INTO sample_chunk VALUES(22,0,8,'kb-001-2',1,10.639799999999999258,'{"title": "Plans and prices", "section": "Billing", "kb_version": "2026-09"}');
INSERT INTO sample_chunk VALUES(22,1,7,'kb-004-1',2,8.9631000000000007332,'{"title": "Adding and removing seats", "section": "Billing", "kb_version": "2026-09"}');
INSERT INTO sample_chunk VALUES(22,2,4,'kb-001-1',3,5.8323999999999998067,'{"title": "Plans and prices", "section": "Billing", "kb_version": "2026-09"}');
INSERT INTO sample_chunk VALUES(22,3,1,'kb-004-2',4,4.9501999999999997115,'{"title": "Adding and removing seats", "section": "Billing", "kb_version": "2026-09"}');
INSERT INTO sample_chunk VALUES(23,0,8,'kb-001-2',1,12.586000000000000298,'{"title": "Plans and prices", "section": "Billing", "kb_version": "2026-09"}');
INSERT INTO sample_chunk VALUES(23,1,17,'kb-031-1',2,2.258199999999999985,'{"title": "Satisfaction surveys", "section": "Automation", "kb_version": "2026-09"}');
INSERT INTO sample_chunk VALUES(23,2,11,'kb-010-2',3,2.1648999999999998244,'{"title": "Inviting people", "section": "Accounts and roles", "kb_version": "2026-09"}');
INSERT INTO sample_chunk VALUES(23,3,20,'kb-014-2',4,2.1648999999999998244,'{"title": "Teams", "section": "Accounts and roles", "kb_version": "2026-09"}');
INSERT INTO sample_chunk VALUES(24,0,3,'kb-002-2',1,5.0107999999999996987,'{"title": "Invoices and the billing cycle", "section": "Billing", "kb_version": "2026-09"}');
INSERT INTO sample_chunk VALUES(24,1,5,'kb-002-1',2,4.857400000000000162,'{"title": "Invoices and the billing cycle", "section": "Billing", "kb_version": "2026-09"}');
INSERT INTO sample_chunk VALUES(24,2,10,'kb-008-2',3,3.9472999999999998088,'{"title": "Taxes and VAT", "section": "Billing", "kb_version": "2026-09"}');
INSERT INTO sample_chunk VALUES(24,3,13,'kb-012-2',4,3.705200000000000049,'{"title": "Transferring ownership", "section": "Accounts and roles", "kb_version": "2026-09"}');
INSERT INTO sample_chunk VALUES(25,0,3,'kb-002-2',1,8.7537000000000002586,'{"title": "Invoices and the billing cycle", "section": "Billing", "kb_version": "2026-09"}');
INSERT INTO sample_chunk VALUES(25,1,10,'kb-008-2',2,7.2073000000000000397,'{"title": "Taxes and VAT", "section": "Billing", "kb_version": "2026-09"}');
INSERT INTO sample_chunk VALUES(25,2,5,'kb-002-1',3,4.857400000000000162,'{"title": "Invoices and the billing cycle", "section": "Billing", "kb_version": "2026-09"}');
INSERT INTO sample_chunk VALUES(25,3,15,'kb-019-1',4,4.8273000000000001463,'{"title": "Attachments", "section": "Inboxes", "kb_version": "2026-09"}');
INSERT INTO sample_chunk VALUES(26,0,2,'kb-003-1',1,18.323299999999999698,'{"title": "Payment methods", "section": "Billing", "kb_version": "2026-09"}');
INSERT INTO sample_chunk VALUES(26,1,12,'kb-016-1',2,5.0637999999999996347,'{"title": "Connecting an email address", "section": "Inboxes", "kb_version": "2026-09"}');
INSERT INTO sample_chunk VALUES(26,2,19,'kb-053-1',3,4.1787999999999998479,'{"title": "Transfers in rules, reports and the apps", "section": "Conversations", "kb_version": "2026-09"}');
INSERT INTO sample_chunk VALUES(26,3,7,'kb-004-1',4,4.0658000000000003026,'{"title": "Adding and removing seats", "section": "Billing", "kb_version": "2026-09"}');
INSERT INTO sample_chunk VALUES(27,0,6,'kb-003-2',1,13.375799999999999911,'{"title": "Payment methods", "section": "Billing", "kb_version": "2026-09"}');
INSERT INTO sample_chunk VALUES(27,1,2,'kb-003-1',2,7.4432999999999998053,'{"title": "Payment methods", "section": "Billing", "kb_version": "2026-09"}');
INSERT INTO sample_chunk VALUES(27,2,16,'kb-005-1',3,5.0561999999999995836,'{"title": "Failed payments", "section": "Billing", "kb_version": "2026-09"}');
INSERT INTO sample_chunk VALUES(27,3,9,'kb-005-2',4,4.5926999999999997825,'{"title": "Failed payments", "section": "Billing", "kb_version": "2026-09"}');
INSERT INTO sample_chunk VALUES(28,0,7,'kb-004-1',1,16.414200000000001011,'{"title": "Adding and removing seats", "section": "Billing", "kb_version": "2026-09"}');
INSERT INTO sample_chunk VALUES(28,1,8,'kb-001-2',2,9.284399999999999764,'{"title": "Plans and prices", "section": "Billing", "kb_version": "2026-09"}');
INSERT INTO sample_chunk VALUES(28,2,4,'kb-001-1',3,8.176999999999999602,'{"title": "Plans and prices", "section": "Billing", "kb_version": "2026-09"}');
INSERT INTO sample_chunk VALUES(28,3,1,'kb-004-2',4,7.6696999999999997399,'{"title": "Adding and removing seats", "section": "Billing", "kb_version": "2026-09"}');
INSERT INTO sample_chunk VALUES(29,0,7,'kb-004-1',1,7.4249000000000000554,'{"title": "Adding and removing seats", "section": "Billing", "kb_version": "2026-09"}');
INSERT INTO sample_chunk VALUES(29,1,11,'kb-010-2',2,5.1919000000000004035,'{"title": "Inviting people", "section": "Accounts and roles", "kb_version": "2026-09"}');
INSERT INTO sample_chunk VALUES(29,2,1,'kb-004-2',3,4.9501999999999997115,'{"title": "Adding and removing seats", "section": "Billing", "kb_version": "2026-09"}');
INSERT INTO sample_chunk VALUES(29,3,3,'kb-002-2',4,4.8959999999999999076,'{"title": "Invoices and the billing cycle", "section": "Billing", "kb_version": "2026-09"}');
INSERT INTO sample_chunk VALUES(30,0,9,'kb-005-2',1,8.8432999999999992724,'{"title": "Failed payments", "section": "Billing", "kb_version": "2026-09"}');
INSERT INTO sample_chunk VALUES(30,1,16,'kb-005-1',2,8.6328999999999993519,'{"title": "Failed payments", "section": "Billing", "kb_version": "2026-09"}');
INSERT INTO sample_chunk VALUES(30,2,6,'kb-003-2',3,5.3628999999999997783,'{"title": "Payment methods", "section": "Billing", "kb_version": "2026-09"}');
INSERT INTO sample_chunk VALUES(30,3,14,'kb-039-2',4,4.3373999999999997001,'{"title": "Webhooks", "section": "Integrations", "kb_version": "2026-09"}');
CREATE TABLE claim (
	id INTEGER NOT NULL, 
	sample_id INTEGER NOT NULL, 
	run_id VARCHAR(16) NOT NULL, 
	number INTEGER NOT NULL, 
	text_id INTEGER, 
	text TEXT, 
	verdict VARCHAR(24) NOT NULL, 
	confidence DOUBLE, 
	support_score DOUBLE, 
	explanation TEXT NOT NULL, 
	claim_type VARCHAR(16), 
	importance VARCHAR(16), 
	hallucination_type VARCHAR(16), 
	severity VARCHAR(16), 
	correction TEXT, 
	spans JSON NOT NULL, 
	mismatches JSON, 
	decided_by TEXT, 
	CONSTRAINT pk_claim PRIMARY KEY (id), 
	CONSTRAINT uq_claim_sample_id_number UNIQUE (sample_id, number), 
	CONSTRAINT fk_claim_sample_id FOREIGN KEY(sample_id) REFERENCES sample (id) ON DELETE CASCADE
);
INSERT INTO claim VALUES(1,1,'xbdmbgm4',1,13,NULL,'supported',0.99190299999999997915,0.99190299999999997915,'Chunk kb-001-1 has “and covers up to 5 seats” where the answer has “Team costs €19 and Scale costs €39”.','factual','high',NULL,NULL,NULL,'[[0, 70, 0]]',NULL,NULL);
INSERT INTO claim VALUES(2,1,'xbdmbgm4',2,3,NULL,'supported',0.99569499999999999673,0.99569499999999999673,'Chunk kb-001-1 says this.','factual','high',NULL,NULL,NULL,'[[71, 113, 0]]',NULL,NULL);
INSERT INTO claim VALUES(3,1,'xbdmbgm4',3,9,NULL,'supported',0.99619199999999996641,0.99619199999999996641,'Chunk kb-001-1 says this.','factual','high',NULL,NULL,NULL,'[[121, 163, 0]]',NULL,NULL);
INSERT INTO claim VALUES(4,1,'xbdmbgm4',4,4,NULL,'supported',0.99403399999999997316,0.99403399999999997316,'Chunk kb-001-1 says this.','factual','high',NULL,NULL,NULL,'[[164, 188, 0]]',NULL,NULL);
INSERT INTO claim VALUES(5,1,'xbdmbgm4',5,7,NULL,'supported',0.99638000000000004341,0.99638000000000004341,'Chunk kb-001-1 says this.','factual','low',NULL,NULL,NULL,'[[189, 215, 0]]',NULL,NULL);
INSERT INTO claim VALUES(6,2,'xbdmbgm4',1,16,NULL,'supported',0.99511000000000005005,0.99511000000000005005,'Chunk kb-001-2 says this.','factual','high',NULL,NULL,NULL,'[[5, 102, 0]]',NULL,NULL);
INSERT INTO claim VALUES(7,2,'xbdmbgm4',2,10,NULL,'supported',0.99682400000000004336,0.99682400000000004336,'Chunk kb-001-2 says this.','factual','medium',NULL,NULL,NULL,'[[103, 163, 0]]',NULL,NULL);
INSERT INTO claim VALUES(8,3,'xbdmbgm4',1,5,NULL,'supported',0.99529900000000004478,0.99529900000000004478,'Chunk kb-001-2 says this.','factual','high',NULL,NULL,NULL,'[[0, 109, 0]]',NULL,NULL);
INSERT INTO claim VALUES(9,3,'xbdmbgm4',2,6,NULL,'supported',0.99529100000000003678,0.99529100000000003678,'Chunk kb-001-2 says this.','factual','medium',NULL,NULL,NULL,'[[110, 162, 0]]',NULL,NULL);
INSERT INTO claim VALUES(10,3,'xbdmbgm4',3,12,NULL,'supported',0.73257399999999994744,0.73257399999999994744,'Chunk kb-001-2 comes closest; “renewed”, “automatically”, “schools” and “hospitals” are not in the chunks.','factual','medium',NULL,NULL,NULL,'[[163, 227, 0]]',NULL,NULL);
INSERT INTO claim VALUES(11,4,'xbdmbgm4',1,15,NULL,'supported',0.99428499999999997438,0.99428499999999997438,'Chunk kb-002-1 says this.','factual','high',NULL,NULL,NULL,'[[0, 84, 0]]',NULL,NULL);
INSERT INTO claim VALUES(12,4,'xbdmbgm4',2,11,NULL,'supported',0.99346199999999995622,0.99346199999999995622,'Chunk kb-002-1 says this.','factual','high',NULL,NULL,NULL,'[[85, 163, 0]]',NULL,NULL);
INSERT INTO claim VALUES(13,5,'xbdmbgm4',1,14,NULL,'supported',0.99558899999999994623,0.99558899999999994623,'Chunk kb-002-2 says this.','factual','low',NULL,NULL,NULL,'[[0, 48, 0]]',NULL,NULL);
INSERT INTO claim VALUES(14,5,'xbdmbgm4',2,17,NULL,'supported',0.99541699999999999626,0.99541699999999999626,'Chunk kb-002-2 says this.','factual','high',NULL,NULL,NULL,'[[49, 115, 0]]',NULL,NULL);
INSERT INTO claim VALUES(15,5,'xbdmbgm4',3,8,NULL,'supported',0.99011899999999997135,0.99011899999999997135,'Chunk kb-002-2 comes closest; “new” is not in the chunks.','factual','medium',NULL,NULL,NULL,'[[116, 182, 0]]',NULL,NULL);
INSERT INTO claim VALUES(16,6,'xbdmbgm4',1,1,NULL,'supported',0.99354799999999998671,0.99354799999999998671,'Chunk kb-003-1 has “available” where the answer has “accepted”.','factual','high',NULL,NULL,NULL,'[[0, 86, 0]]',NULL,NULL);
INSERT INTO claim VALUES(17,6,'xbdmbgm4',2,2,NULL,'supported',0.99380800000000002469,0.99380800000000002469,'Chunk kb-003-1 says this.','factual','high',NULL,NULL,NULL,'[[87, 206, 0]]',NULL,NULL);
INSERT INTO claim VALUES(18,7,'xbdmbgm4',1,27,NULL,'supported',0.99640700000000004266,0.99640700000000004266,'Chunk kb-003-2 says this.','factual','high',NULL,NULL,NULL,'[[0, 53, 0]]',NULL,NULL);
INSERT INTO claim VALUES(19,7,'xbdmbgm4',2,24,NULL,'supported',0.99646199999999995888,0.99646199999999995888,'Chunk kb-003-2 says this.','factual','high',NULL,NULL,NULL,'[[54, 138, 0]]',NULL,NULL);
INSERT INTO claim VALUES(20,7,'xbdmbgm4',3,19,NULL,'supported',0.99651199999999995338,0.99651199999999995338,'Chunk kb-003-2 says this.','factual','medium',NULL,NULL,NULL,'[[139, 201, 0]]',NULL,NULL);
INSERT INTO claim VALUES(21,8,'xbdmbgm4',1,26,NULL,'supported',0.98582300000000000483,0.98582300000000000483,'Chunk kb-004-1 says this.','factual','medium',NULL,NULL,NULL,'[[0, 62, 0]]',NULL,NULL);
INSERT INTO claim VALUES(22,8,'xbdmbgm4',2,18,NULL,'supported',0.89745600000000003149,0.89745600000000003149,'Chunk kb-004-1 comes closest; “colleague” and “start” are not in the chunks.','factual','medium',NULL,NULL,NULL,'[[63, 165, 0]]',NULL,NULL);
INSERT INTO claim VALUES(23,9,'xbdmbgm4',1,23,NULL,'supported',0.99680999999999997385,0.99680999999999997385,'Chunk kb-004-1 says this.','factual','low',NULL,NULL,NULL,'[[4, 30, 0]]',NULL,NULL);
INSERT INTO claim VALUES(24,9,'xbdmbgm4',2,25,NULL,'supported',0.9958949999999999747,0.9958949999999999747,'Chunk kb-004-1 says this.','factual','high',NULL,NULL,NULL,'[[31, 104, 0]]',NULL,NULL);
INSERT INTO claim VALUES(25,10,'xbdmbgm4',1,21,NULL,'supported',0.98702800000000001645,0.98702800000000001645,'Chunk kb-005-1 comes closest.','factual','high',NULL,NULL,NULL,'[[0, 109, 0]]',NULL,NULL);
INSERT INTO claim VALUES(26,10,'xbdmbgm4',2,22,NULL,'supported',0.97304900000000005277,0.97304900000000005277,'Chunk kb-005-1 comes closest; “blocked” is not in the chunks.','factual','medium',NULL,NULL,NULL,'[[110, 154, 0]]',NULL,NULL);
INSERT INTO claim VALUES(27,10,'xbdmbgm4',3,20,NULL,'supported',0.99479899999999998883,0.99479899999999998883,'Chunk kb-005-1 says this.','factual','high',NULL,NULL,NULL,'[[155, 221, 0]]',NULL,NULL);
INSERT INTO claim VALUES(28,11,'fgj9b5nd',1,13,NULL,'partially_supported',0.29999999999999998889,0.99179799999999995741,'Chunk kb-001-1 has “and covers up to 5 seats” where the answer has “Team costs €19 and Scale costs €39”.','factual','high','extrapolation','low',NULL,'[[0, 70, 0]]',NULL,NULL);
INSERT INTO claim VALUES(29,11,'fgj9b5nd',2,3,NULL,'supported',0.99560599999999999099,0.99560599999999999099,'Chunk kb-001-1 says this.','factual','high',NULL,NULL,NULL,'[[71, 113, 0]]',NULL,NULL);
INSERT INTO claim VALUES(30,11,'fgj9b5nd',3,28,NULL,'contradicted',0.84999999999999997779,0.39708700000000002328,'Chunk kb-001-1 says “10”, the answer “100”.','factual','high','contradiction','high','Team costs €19 per seat a month and covers up to 50 seats and 10 inboxes.','[[121, 164, 0]]','[[152, 155, "kb-001-1", 165, 167]]',NULL);
INSERT INTO claim VALUES(31,11,'fgj9b5nd',4,4,NULL,'supported',0.99399000000000004018,0.99399000000000004018,'Chunk kb-001-1 says this.','factual','high',NULL,NULL,NULL,'[[165, 189, 0]]',NULL,NULL);
INSERT INTO claim VALUES(32,11,'fgj9b5nd',5,7,NULL,'supported',0.99624199999999996091,0.99624199999999996091,'Chunk kb-001-1 says this.','factual','low',NULL,NULL,NULL,'[[190, 216, 0]]',NULL,NULL);
INSERT INTO claim VALUES(33,12,'fgj9b5nd',1,16,NULL,'supported',0.99511000000000005005,0.99511000000000005005,'Chunk kb-001-2 says this.','factual','high',NULL,NULL,NULL,'[[5, 102, 0]]',NULL,NULL);
INSERT INTO claim VALUES(34,12,'fgj9b5nd',2,10,NULL,'supported',0.99682400000000004336,0.99682400000000004336,'Chunk kb-001-2 says this.','factual','medium',NULL,NULL,NULL,'[[103, 163, 0]]',NULL,NULL);
INSERT INTO claim VALUES(35,13,'fgj9b5nd',1,5,NULL,'supported',0.99529900000000004478,0.99529900000000004478,'Chunk kb-001-2 says this.','factual','high',NULL,NULL,NULL,'[[0, 109, 0]]',NULL,NULL);
INSERT INTO claim VALUES(36,13,'fgj9b5nd',2,6,NULL,'supported',0.99529100000000003678,0.99529100000000003678,'Chunk kb-001-2 says this.','factual','medium',NULL,NULL,NULL,'[[110, 162, 0]]',NULL,NULL);
INSERT INTO claim VALUES(37,13,'fgj9b5nd',3,12,NULL,'supported',0.73257399999999994744,0.73257399999999994744,'Chunk kb-001-2 comes closest; “renewed”, “automatically”, “schools” and “hospitals” are not in the chunks.','factual','medium',NULL,NULL,NULL,'[[163, 227, 0]]',NULL,NULL);
INSERT INTO claim VALUES(38,14,'fgj9b5nd',1,29,NULL,'supported',0.98906899999999997596,0.98906899999999997596,'Chunk kb-002-1 says this.','factual','high',NULL,NULL,NULL,'[[0, 84, 0]]',NULL,NULL);
INSERT INTO claim VALUES(39,14,'fgj9b5nd',2,11,NULL,'supported',0.99312199999999994926,0.99312199999999994926,'Chunk kb-002-1 says this.','factual','high',NULL,NULL,NULL,'[[85, 163, 0]]',NULL,NULL);
INSERT INTO claim VALUES(40,15,'fgj9b5nd',1,14,NULL,'supported',0.99558899999999994623,0.99558899999999994623,'Chunk kb-002-2 says this.','factual','low',NULL,NULL,NULL,'[[0, 48, 0]]',NULL,NULL);
INSERT INTO claim VALUES(41,15,'fgj9b5nd',2,17,NULL,'supported',0.99541699999999999626,0.99541699999999999626,'Chunk kb-002-2 says this.','factual','high',NULL,NULL,NULL,'[[49, 115, 0]]',NULL,NULL);
INSERT INTO claim VALUES(42,15,'fgj9b5nd',3,8,NULL,'supported',0.99011899999999997135,0.99011899999999997135,'Chunk kb-002-2 comes closest; “new” is not in the chunks.','factual','medium',NULL,NULL,NULL,'[[116, 182, 0]]',NULL,NULL);
INSERT INTO claim VALUES(43,16,'fgj9b5nd',1,1,NULL,'supported',0.99361800000000000121,0.99361800000000000121,'Chunk kb-003-1 has “available” where the answer has “accepted”.','factual','high',NULL,NULL,NULL,'[[0, 86, 0]]',NULL,NULL);
INSERT INTO claim VALUES(44,16,'fgj9b5nd',2,2,NULL,'supported',0.99381699999999995043,0.99381699999999995043,'Chunk kb-003-1 says this.','factual','high',NULL,NULL,NULL,'[[87, 206, 0]]',NULL,NULL);
INSERT INTO claim VALUES(45,17,'fgj9b5nd',1,27,NULL,'supported',0.99640700000000004266,0.99640700000000004266,'Chunk kb-003-2 says this.','factual','high',NULL,NULL,NULL,'[[0, 53, 0]]',NULL,NULL);
INSERT INTO claim VALUES(46,17,'fgj9b5nd',2,24,NULL,'supported',0.99646199999999995888,0.99646199999999995888,'Chunk kb-003-2 says this.','factual','high',NULL,NULL,NULL,'[[54, 138, 0]]',NULL,NULL);
INSERT INTO claim VALUES(47,17,'fgj9b5nd',3,19,NULL,'supported',0.99651199999999995338,0.99651199999999995338,'Chunk kb-003-2 says this.','factual','medium',NULL,NULL,NULL,'[[139, 201, 0]]',NULL,NULL);
INSERT INTO claim VALUES(48,18,'fgj9b5nd',1,26,NULL,'supported',0.98582300000000000483,0.98582300000000000483,'Chunk kb-004-1 says this.','factual','medium',NULL,NULL,NULL,'[[0, 62, 0]]',NULL,NULL);
INSERT INTO claim VALUES(49,18,'fgj9b5nd',2,18,NULL,'supported',0.89745600000000003149,0.89745600000000003149,'Chunk kb-004-1 comes closest; “colleague” and “start” are not in the chunks.','factual','medium',NULL,NULL,NULL,'[[63, 165, 0]]',NULL,NULL);
INSERT INTO claim VALUES(50,19,'fgj9b5nd',1,23,NULL,'supported',0.99680999999999997385,0.99680999999999997385,'Chunk kb-004-1 says this.','factual','low',NULL,NULL,NULL,'[[0, 26, 0]]',NULL,NULL);
INSERT INTO claim VALUES(51,19,'fgj9b5nd',2,25,NULL,'supported',0.9958949999999999747,0.9958949999999999747,'Chunk kb-004-1 says this.','factual','high',NULL,NULL,NULL,'[[27, 100, 0]]',NULL,NULL);
INSERT INTO claim VALUES(52,20,'fgj9b5nd',1,21,NULL,'supported',0.98858800000000002228,0.98858800000000002228,'Chunk kb-005-1 comes closest.','factual','high',NULL,NULL,NULL,'[[0, 109, 0]]',NULL,NULL);
INSERT INTO claim VALUES(53,20,'fgj9b5nd',2,30,NULL,'supported',0.99703200000000002933,0.99703200000000002933,'Chunk kb-005-1 says this.','factual','medium',NULL,NULL,NULL,'[[110, 156, 0]]',NULL,NULL);
INSERT INTO claim VALUES(54,20,'fgj9b5nd',3,20,NULL,'supported',0.99530200000000002003,0.99530200000000002003,'Chunk kb-005-1 says this.','factual','high',NULL,NULL,NULL,'[[157, 223, 0]]',NULL,NULL);
INSERT INTO claim VALUES(55,21,'ff9x7ac8',1,13,NULL,'supported',0.98450000000000004174,0.98450000000000004174,'Chunk kb-001-1 has “and covers up to 5 seats” where the answer has “Team costs €19 and Scale costs €39”.','factual','high',NULL,NULL,NULL,'[[0, 70, 0]]',NULL,NULL);
INSERT INTO claim VALUES(56,21,'ff9x7ac8',2,3,NULL,'supported',0.99019999999999996909,0.99019999999999996909,'Chunk kb-001-1 says this.','factual','high',NULL,NULL,NULL,'[[71, 113, 0]]',NULL,NULL);
INSERT INTO claim VALUES(57,21,'ff9x7ac8',3,9,NULL,'supported',0.990999999999999992,0.990999999999999992,'Chunk kb-001-1 says this.','factual','high',NULL,NULL,NULL,'[[121, 163, 0]]',NULL,NULL);
INSERT INTO claim VALUES(58,21,'ff9x7ac8',4,4,NULL,'supported',0.98760000000000003339,0.98760000000000003339,'Chunk kb-001-1 says this.','factual','high',NULL,NULL,NULL,'[[164, 188, 0]]',NULL,NULL);
INSERT INTO claim VALUES(59,21,'ff9x7ac8',5,7,NULL,'supported',0.99129999999999995896,0.99129999999999995896,'Chunk kb-001-1 says this.','factual','low',NULL,NULL,NULL,'[[189, 215, 0]]',NULL,NULL);
INSERT INTO claim VALUES(60,22,'ff9x7ac8',1,16,NULL,'supported',0.79320000000000001616,0.79320000000000001616,'Chunk kb-001-2 comes closest.','factual','high',NULL,NULL,NULL,'[[5, 102, 0]]',NULL,NULL);
INSERT INTO claim VALUES(61,22,'ff9x7ac8',2,10,NULL,'supported',0.94999999999999995559,0.94999999999999995559,'Chunk kb-001-2 says this.','factual','medium',NULL,NULL,NULL,'[[103, 163, 0]]',NULL,NULL);
INSERT INTO claim VALUES(62,23,'ff9x7ac8',1,5,NULL,'supported',0.98470000000000001971,0.98470000000000001971,'Chunk kb-001-2 says this.','factual','high',NULL,NULL,NULL,'[[0, 109, 0]]',NULL,NULL);
INSERT INTO claim VALUES(63,23,'ff9x7ac8',2,6,NULL,'supported',0.97440000000000004387,0.97440000000000004387,'Chunk kb-001-2 says this.','factual','medium',NULL,NULL,NULL,'[[110, 162, 0]]',NULL,NULL);
INSERT INTO claim VALUES(64,23,'ff9x7ac8',3,12,NULL,'not_mentioned',0.86499999999999999111,0.13500000000000000888,'“renewed”, “automatically”, “schools” and “hospitals” are not in the chunks.','factual','medium','fabrication','medium',NULL,'[[163, 227, 0]]','[[179, 186, null, 0, 0], [187, 200, null, 0, 0], [205, 212, null, 0, 0], [217, 226, null, 0, 0]]',NULL);
INSERT INTO claim VALUES(65,24,'ff9x7ac8',1,15,NULL,'supported',0.9179000000000000492,0.9179000000000000492,'Chunk kb-002-1 says this.','factual','high',NULL,NULL,NULL,'[[0, 84, 0]]',NULL,NULL);
INSERT INTO claim VALUES(66,24,'ff9x7ac8',2,11,NULL,'supported',0.80010000000000003339,0.80010000000000003339,'Chunk kb-002-1 says this.','factual','high',NULL,NULL,NULL,'[[85, 163, 0]]',NULL,NULL);
INSERT INTO claim VALUES(67,25,'ff9x7ac8',1,14,NULL,'supported',0.96370000000000000106,0.96370000000000000106,'Chunk kb-002-2 says this.','factual','low',NULL,NULL,NULL,'[[0, 48, 0]]',NULL,NULL);
INSERT INTO claim VALUES(68,25,'ff9x7ac8',2,17,NULL,'supported',0.95840000000000002966,0.95840000000000002966,'Chunk kb-002-2 says this.','factual','high',NULL,NULL,NULL,'[[49, 115, 0]]',NULL,NULL);
INSERT INTO claim VALUES(69,25,'ff9x7ac8',3,8,NULL,'supported',0.79569999999999996287,0.79569999999999996287,'Chunk kb-002-2 comes closest; no chunk has “new”.','factual','medium',NULL,NULL,NULL,'[[116, 182, 0]]',NULL,NULL);
INSERT INTO claim VALUES(70,26,'ff9x7ac8',1,1,NULL,'supported',0.71650000000000002575,0.71650000000000002575,'Chunk kb-003-1 has “available” where the answer has “accepted”.','factual','high',NULL,NULL,NULL,'[[0, 86, 0]]',NULL,NULL);
INSERT INTO claim VALUES(71,26,'ff9x7ac8',2,2,NULL,'supported',0.94999999999999995559,0.94999999999999995559,'Chunk kb-003-1 says this.','factual','high',NULL,NULL,NULL,'[[87, 206, 0]]',NULL,NULL);
INSERT INTO claim VALUES(72,27,'ff9x7ac8',1,27,NULL,'supported',0.94999999999999995559,0.94999999999999995559,'Chunk kb-003-2 says this.','factual','high',NULL,NULL,NULL,'[[0, 53, 0]]',NULL,NULL);
INSERT INTO claim VALUES(73,27,'ff9x7ac8',2,24,NULL,'supported',0.93500000000000005329,0.93500000000000005329,'Chunk kb-003-2 says this.','factual','high',NULL,NULL,NULL,'[[54, 138, 0]]',NULL,NULL);
INSERT INTO claim VALUES(74,27,'ff9x7ac8',3,19,NULL,'supported',0.95499999999999996003,0.95499999999999996003,'Chunk kb-003-2 says this.','factual','medium',NULL,NULL,NULL,'[[139, 201, 0]]',NULL,NULL);
INSERT INTO claim VALUES(75,28,'ff9x7ac8',1,26,NULL,'supported',0.71840000000000003854,0.71840000000000003854,'Chunk kb-004-1 comes closest.','factual','medium',NULL,NULL,NULL,'[[0, 62, 0]]',NULL,NULL);
INSERT INTO claim VALUES(76,28,'ff9x7ac8',2,18,NULL,'supported',0.68730000000000002202,0.68730000000000002202,'Chunk kb-004-1 comes closest; no chunk has “colleague” and “start”.','factual','medium',NULL,NULL,NULL,'[[63, 165, 0]]',NULL,NULL);
INSERT INTO claim VALUES(77,29,'ff9x7ac8',1,23,NULL,'supported',0.94999999999999995559,0.94999999999999995559,'Chunk kb-004-1 says this.','factual','low',NULL,NULL,NULL,'[[4, 30, 0]]',NULL,NULL);
INSERT INTO claim VALUES(78,29,'ff9x7ac8',2,25,NULL,'supported',0.94999999999999995559,0.94999999999999995559,'Chunk kb-004-1 says this.','factual','high',NULL,NULL,NULL,'[[31, 104, 0]]',NULL,NULL);
INSERT INTO claim VALUES(79,30,'ff9x7ac8',1,21,NULL,'supported',0.84779999999999999804,0.84779999999999999804,'Chunk kb-005-1 comes closest.','factual','high',NULL,NULL,NULL,'[[0, 109, 0]]',NULL,NULL);
INSERT INTO claim VALUES(80,30,'ff9x7ac8',2,22,NULL,'contradicted',0.58520000000000005346,0.41480000000000000204,'Chunk kb-005-1 does not agree with this.','factual','medium','contradiction','high',NULL,'[[110, 154, 0]]','[[129, 136, null, 0, 0]]',NULL);
INSERT INTO claim VALUES(81,30,'ff9x7ac8',3,20,NULL,'supported',0.96530000000000004689,0.96530000000000004689,'Chunk kb-005-1 says this.','factual','high',NULL,NULL,NULL,'[[155, 221, 0]]',NULL,NULL);
CREATE TABLE run_dataset (
	run_id VARCHAR(16) NOT NULL, 
	version_id INTEGER NOT NULL, 
	CONSTRAINT pk_run_dataset PRIMARY KEY (run_id), 
	CONSTRAINT fk_run_dataset_run_id FOREIGN KEY(run_id) REFERENCES run (id) ON DELETE CASCADE, 
	CONSTRAINT fk_run_dataset_version_id FOREIGN KEY(version_id) REFERENCES dataset_version (id)
);
INSERT INTO run_dataset VALUES('xbdmbgm4',1);
INSERT INTO run_dataset VALUES('fgj9b5nd',2);
INSERT INTO run_dataset VALUES('ff9x7ac8',1);
CREATE TABLE preflight_passage (
	preflight_id VARCHAR(16) NOT NULL, 
	number INTEGER NOT NULL, 
	external_id TEXT NOT NULL, 
	document INTEGER, 
	text TEXT NOT NULL, 
	CONSTRAINT pk_preflight_passage PRIMARY KEY (preflight_id, number), 
	CONSTRAINT fk_preflight_passage_preflight_id FOREIGN KEY(preflight_id) REFERENCES preflight (id) ON DELETE CASCADE
);
CREATE TABLE preflight_answer (
	preflight_id VARCHAR(16) NOT NULL, 
	"row" INTEGER NOT NULL, 
	is_judged BOOLEAN NOT NULL, 
	"plan" JSON NOT NULL, 
	result JSON, 
	CONSTRAINT pk_preflight_answer PRIMARY KEY (preflight_id, "row"), 
	CONSTRAINT fk_preflight_answer_preflight_id FOREIGN KEY(preflight_id) REFERENCES preflight (id) ON DELETE CASCADE
);
INSERT INTO preflight_answer VALUES('gfwzdjrk',1,0,'{"chunks": [[2, "foreign", null, []], [3, "foreign", null, []]], "ahead": [], "entering": []}',NULL);
INSERT INTO preflight_answer VALUES('gfwzdjrk',3,0,'{"chunks": [[1, "foreign", null, []], [2, "foreign", null, []], [3, "foreign", null, []]], "ahead": [], "entering": []}',NULL);
INSERT INTO preflight_answer VALUES('gfwzdjrk',4,0,'{"chunks": [[2, "foreign", null, []], [3, "foreign", null, []]], "ahead": [], "entering": []}',NULL);
INSERT INTO preflight_answer VALUES('gfwzdjrk',5,0,'{"chunks": [[1, "foreign", null, []], [3, "foreign", null, []]], "ahead": [], "entering": []}',NULL);
INSERT INTO preflight_answer VALUES('gfwzdjrk',6,0,'{"chunks": [[1, "foreign", null, []], [2, "foreign", null, []]], "ahead": [], "entering": []}',NULL);
INSERT INTO preflight_answer VALUES('gfwzdjrk',7,0,'{"chunks": [[2, "foreign", null, []], [3, "foreign", null, []]], "ahead": [], "entering": []}',NULL);
INSERT INTO preflight_answer VALUES('gfwzdjrk',9,0,'{"chunks": [[1, "foreign", null, []]], "ahead": [], "entering": []}',NULL);
INSERT INTO preflight_answer VALUES('gfwzdjrk',10,0,'{"chunks": [[0, "foreign", null, []], [1, "foreign", null, []], [3, "foreign", null, []]], "ahead": [], "entering": []}',NULL);
CREATE TABLE sample_review (
	sample_id INTEGER NOT NULL, 
	run_id VARCHAR(16) NOT NULL, 
	faithfulness DOUBLE, 
	faithfulness_weighted DOUBLE, 
	is_faithful BOOLEAN, 
	claims INTEGER NOT NULL, 
	supported INTEGER NOT NULL, 
	partially_supported INTEGER NOT NULL, 
	not_mentioned INTEGER NOT NULL, 
	contradicted INTEGER NOT NULL, 
	labelled INTEGER NOT NULL, 
	worst_harm DOUBLE, 
	CONSTRAINT pk_sample_review PRIMARY KEY (sample_id), 
	CONSTRAINT fk_sample_review_sample_id FOREIGN KEY(sample_id) REFERENCES sample (id) ON DELETE CASCADE
);
INSERT INTO sample_review VALUES(1,'xbdmbgm4',1.0,1.0,1,5,5,0,0,0,1,0.0);
INSERT INTO sample_review VALUES(2,'xbdmbgm4',1.0,1.0,1,1,1,0,0,0,1,0.0);
INSERT INTO sample_review VALUES(4,'xbdmbgm4',1.0,1.0,1,2,2,0,0,0,2,0.0);
INSERT INTO sample_review VALUES(5,'xbdmbgm4',1.0,1.0,1,3,3,0,0,0,1,0.0);
INSERT INTO sample_review VALUES(6,'xbdmbgm4',1.0,1.0,1,2,2,0,0,0,1,0.0);
INSERT INTO sample_review VALUES(7,'xbdmbgm4',1.0,1.0,1,3,3,0,0,0,2,0.0);
INSERT INTO sample_review VALUES(8,'xbdmbgm4',0.5,0.5,0,2,1,0,1,0,2,0.5);
INSERT INTO sample_review VALUES(9,'xbdmbgm4',1.0,1.0,1,2,2,0,0,0,1,0.0);
INSERT INTO sample_review VALUES(10,'xbdmbgm4',1.0,1.0,1,3,3,0,0,0,1,0.0);
CREATE TABLE seen_answer (
	sample_id INTEGER NOT NULL, 
	reviewer TEXT NOT NULL, 
	at DATETIME NOT NULL, 
	CONSTRAINT pk_seen_answer PRIMARY KEY (sample_id, reviewer), 
	CONSTRAINT fk_seen_answer_sample_id FOREIGN KEY(sample_id) REFERENCES sample (id) ON DELETE CASCADE
);
CREATE TABLE citation (
	claim_id INTEGER NOT NULL, 
	ordinal INTEGER NOT NULL, 
	chunk_position INTEGER NOT NULL, 
	CONSTRAINT pk_citation PRIMARY KEY (claim_id, ordinal), 
	CONSTRAINT fk_citation_claim_id FOREIGN KEY(claim_id) REFERENCES claim (id) ON DELETE CASCADE
)
 WITHOUT ROWID

;
INSERT INTO citation VALUES(1,0,0);
INSERT INTO citation VALUES(2,0,0);
INSERT INTO citation VALUES(3,0,0);
INSERT INTO citation VALUES(4,0,0);
INSERT INTO citation VALUES(5,0,0);
INSERT INTO citation VALUES(6,0,0);
INSERT INTO citation VALUES(7,0,0);
INSERT INTO citation VALUES(8,0,0);
INSERT INTO citation VALUES(9,0,0);
INSERT INTO citation VALUES(10,0,0);
INSERT INTO citation VALUES(11,0,1);
INSERT INTO citation VALUES(12,0,1);
INSERT INTO citation VALUES(13,0,0);
INSERT INTO citation VALUES(14,0,0);
INSERT INTO citation VALUES(15,0,0);
INSERT INTO citation VALUES(16,0,0);
INSERT INTO citation VALUES(17,0,0);
INSERT INTO citation VALUES(18,0,0);
INSERT INTO citation VALUES(19,0,0);
INSERT INTO citation VALUES(20,0,0);
INSERT INTO citation VALUES(21,0,0);
INSERT INTO citation VALUES(22,0,0);
INSERT INTO citation VALUES(23,0,0);
INSERT INTO citation VALUES(24,0,0);
INSERT INTO citation VALUES(25,0,1);
INSERT INTO citation VALUES(26,0,1);
INSERT INTO citation VALUES(27,0,1);
INSERT INTO citation VALUES(28,0,0);
INSERT INTO citation VALUES(29,0,0);
INSERT INTO citation VALUES(30,0,0);
INSERT INTO citation VALUES(31,0,0);
INSERT INTO citation VALUES(32,0,0);
INSERT INTO citation VALUES(33,0,0);
INSERT INTO citation VALUES(34,0,0);
INSERT INTO citation VALUES(35,0,0);
INSERT INTO citation VALUES(36,0,0);
INSERT INTO citation VALUES(37,0,0);
INSERT INTO citation VALUES(38,0,1);
INSERT INTO citation VALUES(39,0,1);
INSERT INTO citation VALUES(40,0,0);
INSERT INTO citation VALUES(41,0,0);
INSERT INTO citation VALUES(42,0,0);
INSERT INTO citation VALUES(43,0,0);
INSERT INTO citation VALUES(44,0,0);
INSERT INTO citation VALUES(45,0,0);
INSERT INTO citation VALUES(46,0,0);
INSERT INTO citation VALUES(47,0,0);
INSERT INTO citation VALUES(48,0,0);
INSERT INTO citation VALUES(49,0,0);
INSERT INTO citation VALUES(50,0,0);
INSERT INTO citation VALUES(51,0,0);
INSERT INTO citation VALUES(52,0,1);
INSERT INTO citation VALUES(53,0,1);
INSERT INTO citation VALUES(54,0,1);
INSERT INTO citation VALUES(55,0,0);
INSERT INTO citation VALUES(56,0,0);
INSERT INTO citation VALUES(57,0,0);
INSERT INTO citation VALUES(58,0,0);
INSERT INTO citation VALUES(59,0,0);
INSERT INTO citation VALUES(60,0,0);
INSERT INTO citation VALUES(61,0,0);
INSERT INTO citation VALUES(62,0,0);
INSERT INTO citation VALUES(63,0,0);
INSERT INTO citation VALUES(65,0,1);
INSERT INTO citation VALUES(66,0,1);
INSERT INTO citation VALUES(67,0,0);
INSERT INTO citation VALUES(68,0,0);
INSERT INTO citation VALUES(69,0,0);
INSERT INTO citation VALUES(70,0,0);
INSERT INTO citation VALUES(71,0,0);
INSERT INTO citation VALUES(72,0,0);
INSERT INTO citation VALUES(73,0,0);
INSERT INTO citation VALUES(74,0,0);
INSERT INTO citation VALUES(75,0,0);
INSERT INTO citation VALUES(76,0,0);
INSERT INTO citation VALUES(77,0,0);
INSERT INTO citation VALUES(78,0,0);
INSERT INTO citation VALUES(79,0,1);
INSERT INTO citation VALUES(80,0,1);
INSERT INTO citation VALUES(81,0,1);
CREATE TABLE evidence (
	claim_id INTEGER NOT NULL, 
	ordinal INTEGER NOT NULL, 
	chunk_position INTEGER NOT NULL, 
	quote TEXT NOT NULL, 
	start INTEGER, 
	"end" INTEGER, 
	occurrence INTEGER, 
	CONSTRAINT pk_evidence PRIMARY KEY (claim_id, ordinal), 
	CONSTRAINT fk_evidence_claim_id FOREIGN KEY(claim_id) REFERENCES claim (id) ON DELETE CASCADE
)
 WITHOUT ROWID

;
INSERT INTO evidence VALUES(1,0,0,'',29,102,0);
INSERT INTO evidence VALUES(1,1,0,'',103,176,0);
INSERT INTO evidence VALUES(1,2,0,'',177,258,0);
INSERT INTO evidence VALUES(2,0,0,'',29,102,0);
INSERT INTO evidence VALUES(3,0,0,'',103,176,0);
INSERT INTO evidence VALUES(4,0,0,'',177,258,0);
INSERT INTO evidence VALUES(5,0,0,'',259,285,0);
INSERT INTO evidence VALUES(6,0,0,'',0,95,0);
INSERT INTO evidence VALUES(7,0,0,'',206,266,0);
INSERT INTO evidence VALUES(8,0,0,'',96,205,0);
INSERT INTO evidence VALUES(9,0,0,'',206,266,0);
INSERT INTO evidence VALUES(10,0,0,'',206,266,0);
INSERT INTO evidence VALUES(11,0,1,'',142,307,0);
INSERT INTO evidence VALUES(12,0,1,'',142,307,0);
INSERT INTO evidence VALUES(13,0,0,'',216,335,0);
INSERT INTO evidence VALUES(14,0,0,'',216,335,0);
INSERT INTO evidence VALUES(15,0,0,'',83,215,0);
INSERT INTO evidence VALUES(16,0,0,'',66,146,0);
INSERT INTO evidence VALUES(16,1,0,'',0,65,0);
INSERT INTO evidence VALUES(17,0,0,'',147,266,0);
INSERT INTO evidence VALUES(18,0,0,'',0,53,0);
INSERT INTO evidence VALUES(19,0,0,'',54,202,0);
INSERT INTO evidence VALUES(20,0,0,'',54,202,0);
INSERT INTO evidence VALUES(21,0,0,'',101,242,0);
INSERT INTO evidence VALUES(22,0,0,'',101,242,0);
INSERT INTO evidence VALUES(22,1,0,'',243,277,0);
INSERT INTO evidence VALUES(23,0,0,'',74,100,0);
INSERT INTO evidence VALUES(24,0,0,'',0,73,0);
INSERT INTO evidence VALUES(25,0,1,'',0,97,0);
INSERT INTO evidence VALUES(26,0,1,'',145,303,0);
INSERT INTO evidence VALUES(26,1,1,'',98,144,0);
INSERT INTO evidence VALUES(27,0,1,'',145,303,0);
INSERT INTO evidence VALUES(28,0,0,'',29,102,0);
INSERT INTO evidence VALUES(28,1,0,'',103,176,0);
INSERT INTO evidence VALUES(28,2,0,'',177,258,0);
INSERT INTO evidence VALUES(29,0,0,'',29,102,0);
INSERT INTO evidence VALUES(30,0,0,'',103,176,0);
INSERT INTO evidence VALUES(31,0,0,'',177,258,0);
INSERT INTO evidence VALUES(32,0,0,'',259,285,0);
INSERT INTO evidence VALUES(33,0,0,'',0,95,0);
INSERT INTO evidence VALUES(34,0,0,'',206,266,0);
INSERT INTO evidence VALUES(35,0,0,'',96,205,0);
INSERT INTO evidence VALUES(36,0,0,'',206,266,0);
INSERT INTO evidence VALUES(37,0,0,'',206,266,0);
INSERT INTO evidence VALUES(38,0,1,'',142,307,0);
INSERT INTO evidence VALUES(39,0,1,'',142,307,0);
INSERT INTO evidence VALUES(40,0,0,'',216,335,0);
INSERT INTO evidence VALUES(41,0,0,'',216,335,0);
INSERT INTO evidence VALUES(42,0,0,'',83,215,0);
INSERT INTO evidence VALUES(43,0,0,'',66,146,0);
INSERT INTO evidence VALUES(43,1,0,'',0,65,0);
INSERT INTO evidence VALUES(44,0,0,'',147,266,0);
INSERT INTO evidence VALUES(45,0,0,'',0,53,0);
INSERT INTO evidence VALUES(46,0,0,'',54,202,0);
INSERT INTO evidence VALUES(47,0,0,'',54,202,0);
INSERT INTO evidence VALUES(48,0,0,'',101,242,0);
INSERT INTO evidence VALUES(49,0,0,'',101,242,0);
INSERT INTO evidence VALUES(49,1,0,'',243,277,0);
INSERT INTO evidence VALUES(50,0,0,'',74,100,0);
INSERT INTO evidence VALUES(51,0,0,'',0,73,0);
INSERT INTO evidence VALUES(52,0,1,'',0,97,0);
INSERT INTO evidence VALUES(53,0,1,'',98,144,0);
INSERT INTO evidence VALUES(54,0,1,'',145,303,0);
INSERT INTO evidence VALUES(55,0,0,'',29,102,0);
INSERT INTO evidence VALUES(55,1,0,'',103,176,0);
INSERT INTO evidence VALUES(55,2,0,'',177,258,0);
INSERT INTO evidence VALUES(56,0,0,'',29,102,0);
INSERT INTO evidence VALUES(57,0,0,'',103,176,0);
INSERT INTO evidence VALUES(58,0,0,'',177,258,0);
INSERT INTO evidence VALUES(59,0,0,'',259,285,0);
INSERT INTO evidence VALUES(60,0,0,'',0,95,0);
INSERT INTO evidence VALUES(61,0,0,'',206,266,0);
INSERT INTO evidence VALUES(62,0,0,'',96,205,0);
INSERT INTO evidence VALUES(63,0,0,'',206,266,0);
INSERT INTO evidence VALUES(65,0,1,'',142,307,0);
INSERT INTO evidence VALUES(66,0,1,'',142,307,0);
INSERT INTO evidence VALUES(67,0,0,'',216,335,0);
INSERT INTO evidence VALUES(68,0,0,'',216,335,0);
INSERT INTO evidence VALUES(69,0,0,'',83,215,0);
INSERT INTO evidence VALUES(70,0,0,'',66,146,0);
INSERT INTO evidence VALUES(70,1,0,'',0,65,0);
INSERT INTO evidence VALUES(71,0,0,'',147,266,0);
INSERT INTO evidence VALUES(72,0,0,'',0,53,0);
INSERT INTO evidence VALUES(73,0,0,'',54,202,0);
INSERT INTO evidence VALUES(74,0,0,'',54,202,0);
INSERT INTO evidence VALUES(75,0,0,'',101,242,0);
INSERT INTO evidence VALUES(76,0,0,'',101,242,0);
INSERT INTO evidence VALUES(76,1,0,'',243,277,0);
INSERT INTO evidence VALUES(77,0,0,'',74,100,0);
INSERT INTO evidence VALUES(78,0,0,'',0,73,0);
INSERT INTO evidence VALUES(79,0,1,'',0,97,0);
INSERT INTO evidence VALUES(80,0,1,'',145,303,0);
INSERT INTO evidence VALUES(80,1,1,'',98,144,0);
INSERT INTO evidence VALUES(81,0,1,'',145,303,0);
CREATE TABLE inbox_claim (
	claim_id INTEGER NOT NULL, 
	text_id INTEGER NOT NULL, 
	run_id VARCHAR(16) NOT NULL, 
	segment_id INTEGER, 
	document_id INTEGER, 
	verdict SMALLINT NOT NULL, 
	error_type SMALLINT NOT NULL, 
	label_state SMALLINT NOT NULL, 
	harm DOUBLE NOT NULL, 
	CONSTRAINT pk_inbox_claim PRIMARY KEY (claim_id), 
	CONSTRAINT fk_inbox_claim_claim_id FOREIGN KEY(claim_id) REFERENCES claim (id) ON DELETE CASCADE, 
	CONSTRAINT fk_inbox_claim_text_id FOREIGN KEY(text_id) REFERENCES claim_text (id)
);
INSERT INTO inbox_claim VALUES(1,13,'xbdmbgm4',1,4,0,0,1,0.0);
INSERT INTO inbox_claim VALUES(2,3,'xbdmbgm4',1,4,0,0,0,0.0);
INSERT INTO inbox_claim VALUES(3,9,'xbdmbgm4',1,4,0,0,0,0.0);
INSERT INTO inbox_claim VALUES(4,4,'xbdmbgm4',1,4,0,0,0,0.0);
INSERT INTO inbox_claim VALUES(5,7,'xbdmbgm4',1,4,0,0,0,0.0);
INSERT INTO inbox_claim VALUES(6,16,'xbdmbgm4',1,4,-1,0,2,0.0);
INSERT INTO inbox_claim VALUES(7,10,'xbdmbgm4',1,4,0,0,0,0.0);
INSERT INTO inbox_claim VALUES(8,5,'xbdmbgm4',1,4,0,0,0,0.0);
INSERT INTO inbox_claim VALUES(9,6,'xbdmbgm4',1,4,0,0,0,0.0);
INSERT INTO inbox_claim VALUES(10,12,'xbdmbgm4',1,4,0,0,0,0.0);
INSERT INTO inbox_claim VALUES(11,15,'xbdmbgm4',1,2,0,0,1,0.0);
INSERT INTO inbox_claim VALUES(12,11,'xbdmbgm4',1,2,0,0,1,0.0);
INSERT INTO inbox_claim VALUES(13,14,'xbdmbgm4',1,2,0,0,0,0.0);
INSERT INTO inbox_claim VALUES(14,17,'xbdmbgm4',1,2,0,0,3,0.0);
INSERT INTO inbox_claim VALUES(15,8,'xbdmbgm4',1,2,0,0,0,0.0);
INSERT INTO inbox_claim VALUES(16,1,'xbdmbgm4',1,3,0,0,3,0.0);
INSERT INTO inbox_claim VALUES(17,2,'xbdmbgm4',1,3,0,0,0,0.0);
INSERT INTO inbox_claim VALUES(18,27,'xbdmbgm4',1,3,0,0,0,0.0);
INSERT INTO inbox_claim VALUES(19,24,'xbdmbgm4',1,3,0,0,1,0.0);
INSERT INTO inbox_claim VALUES(20,19,'xbdmbgm4',1,3,0,0,1,0.0);
INSERT INTO inbox_claim VALUES(21,26,'xbdmbgm4',1,5,0,0,1,0.0);
INSERT INTO inbox_claim VALUES(22,18,'xbdmbgm4',1,5,2,0,2,0.5);
INSERT INTO inbox_claim VALUES(23,23,'xbdmbgm4',1,5,0,0,0,0.0);
INSERT INTO inbox_claim VALUES(24,25,'xbdmbgm4',1,5,0,0,1,0.0);
INSERT INTO inbox_claim VALUES(25,21,'xbdmbgm4',1,6,0,0,0,0.0);
INSERT INTO inbox_claim VALUES(26,22,'xbdmbgm4',1,6,0,0,1,0.0);
INSERT INTO inbox_claim VALUES(27,20,'xbdmbgm4',1,6,0,0,0,0.0);
INSERT INTO inbox_claim VALUES(28,13,'fgj9b5nd',1,4,1,3,0,0.074999999999999997224);
INSERT INTO inbox_claim VALUES(29,3,'fgj9b5nd',1,4,0,0,0,0.0);
INSERT INTO inbox_claim VALUES(30,28,'fgj9b5nd',1,4,3,2,0,1.8500000000000000888);
INSERT INTO inbox_claim VALUES(31,4,'fgj9b5nd',1,4,0,0,0,0.0);
INSERT INTO inbox_claim VALUES(32,7,'fgj9b5nd',1,4,0,0,0,0.0);
INSERT INTO inbox_claim VALUES(33,16,'fgj9b5nd',1,4,0,0,0,0.0);
INSERT INTO inbox_claim VALUES(34,10,'fgj9b5nd',1,4,0,0,0,0.0);
INSERT INTO inbox_claim VALUES(35,5,'fgj9b5nd',1,4,0,0,0,0.0);
INSERT INTO inbox_claim VALUES(36,6,'fgj9b5nd',1,4,0,0,0,0.0);
INSERT INTO inbox_claim VALUES(37,12,'fgj9b5nd',1,4,0,0,0,0.0);
INSERT INTO inbox_claim VALUES(38,29,'fgj9b5nd',1,2,0,0,0,0.0);
INSERT INTO inbox_claim VALUES(39,11,'fgj9b5nd',1,2,0,0,0,0.0);
INSERT INTO inbox_claim VALUES(40,14,'fgj9b5nd',1,2,0,0,0,0.0);
INSERT INTO inbox_claim VALUES(41,17,'fgj9b5nd',1,2,0,0,0,0.0);
INSERT INTO inbox_claim VALUES(42,8,'fgj9b5nd',1,2,0,0,0,0.0);
INSERT INTO inbox_claim VALUES(43,1,'fgj9b5nd',1,3,0,0,0,0.0);
INSERT INTO inbox_claim VALUES(44,2,'fgj9b5nd',1,3,0,0,0,0.0);
INSERT INTO inbox_claim VALUES(45,27,'fgj9b5nd',1,3,0,0,0,0.0);
INSERT INTO inbox_claim VALUES(46,24,'fgj9b5nd',1,3,0,0,0,0.0);
INSERT INTO inbox_claim VALUES(47,19,'fgj9b5nd',1,3,0,0,0,0.0);
INSERT INTO inbox_claim VALUES(48,26,'fgj9b5nd',1,5,0,0,0,0.0);
INSERT INTO inbox_claim VALUES(49,18,'fgj9b5nd',1,5,0,0,0,0.0);
INSERT INTO inbox_claim VALUES(50,23,'fgj9b5nd',1,5,0,0,0,0.0);
INSERT INTO inbox_claim VALUES(51,25,'fgj9b5nd',1,5,0,0,0,0.0);
INSERT INTO inbox_claim VALUES(52,21,'fgj9b5nd',1,6,0,0,0,0.0);
INSERT INTO inbox_claim VALUES(53,30,'fgj9b5nd',1,6,0,0,0,0.0);
INSERT INTO inbox_claim VALUES(54,20,'fgj9b5nd',1,6,0,0,0,0.0);
INSERT INTO inbox_claim VALUES(55,13,'ff9x7ac8',1,4,0,0,0,0.0);
INSERT INTO inbox_claim VALUES(56,3,'ff9x7ac8',1,4,0,0,0,0.0);
INSERT INTO inbox_claim VALUES(57,9,'ff9x7ac8',1,4,0,0,0,0.0);
INSERT INTO inbox_claim VALUES(58,4,'ff9x7ac8',1,4,0,0,0,0.0);
INSERT INTO inbox_claim VALUES(59,7,'ff9x7ac8',1,4,0,0,0,0.0);
INSERT INTO inbox_claim VALUES(60,16,'ff9x7ac8',1,4,-2,0,0,0.0);
INSERT INTO inbox_claim VALUES(61,10,'ff9x7ac8',1,4,0,0,0,0.0);
INSERT INTO inbox_claim VALUES(62,5,'ff9x7ac8',1,4,0,0,0,0.0);
INSERT INTO inbox_claim VALUES(63,6,'ff9x7ac8',1,4,0,0,0,0.0);
INSERT INTO inbox_claim VALUES(64,12,'ff9x7ac8',1,NULL,2,1,0,0.43249999999999999555);
INSERT INTO inbox_claim VALUES(65,15,'ff9x7ac8',1,2,0,0,0,0.0);
INSERT INTO inbox_claim VALUES(66,11,'ff9x7ac8',1,2,0,0,0,0.0);
INSERT INTO inbox_claim VALUES(67,14,'ff9x7ac8',1,2,0,0,0,0.0);
INSERT INTO inbox_claim VALUES(68,17,'ff9x7ac8',1,2,0,0,0,0.0);
INSERT INTO inbox_claim VALUES(69,8,'ff9x7ac8',1,2,-2,0,0,0.0);
INSERT INTO inbox_claim VALUES(70,1,'ff9x7ac8',1,3,-2,0,0,0.0);
INSERT INTO inbox_claim VALUES(71,2,'ff9x7ac8',1,3,0,0,0,0.0);
INSERT INTO inbox_claim VALUES(72,27,'ff9x7ac8',1,3,0,0,0,0.0);
INSERT INTO inbox_claim VALUES(73,24,'ff9x7ac8',1,3,0,0,0,0.0);
INSERT INTO inbox_claim VALUES(74,19,'ff9x7ac8',1,3,0,0,0,0.0);
INSERT INTO inbox_claim VALUES(75,26,'ff9x7ac8',1,5,-2,0,0,0.0);
INSERT INTO inbox_claim VALUES(76,18,'ff9x7ac8',1,5,-2,0,0,0.0);
INSERT INTO inbox_claim VALUES(77,23,'ff9x7ac8',1,5,0,0,0,0.0);
INSERT INTO inbox_claim VALUES(78,25,'ff9x7ac8',1,5,0,0,0,0.0);
INSERT INTO inbox_claim VALUES(79,21,'ff9x7ac8',1,6,0,0,0,0.0);
INSERT INTO inbox_claim VALUES(80,22,'ff9x7ac8',1,6,3,2,0,1.5851999999999999424);
INSERT INTO inbox_claim VALUES(81,20,'ff9x7ac8',1,6,0,0,0,0.0);
CREATE TABLE inbox_assignment (
	claim_id INTEGER NOT NULL, 
	reviewer TEXT NOT NULL, 
	assigned_by TEXT NOT NULL, 
	at DATETIME NOT NULL, 
	CONSTRAINT pk_inbox_assignment PRIMARY KEY (claim_id), 
	CONSTRAINT fk_inbox_assignment_claim_id FOREIGN KEY(claim_id) REFERENCES claim (id) ON DELETE CASCADE
);
CREATE TABLE label (
	id INTEGER NOT NULL, 
	run_id VARCHAR(16) NOT NULL, 
	sample_id INTEGER NOT NULL, 
	claim_id INTEGER, 
	kind VARCHAR(16) NOT NULL, 
	verdict VARCHAR(24), 
	role VARCHAR(16) NOT NULL, 
	reviewer TEXT NOT NULL, 
	at DATETIME NOT NULL, 
	note TEXT, 
	corrected_text TEXT, 
	start INTEGER, 
	"end" INTEGER, 
	occurrence INTEGER, 
	seconds DOUBLE, 
	is_blind BOOLEAN NOT NULL, 
	judge_seen BOOLEAN NOT NULL, 
	spot_check_id INTEGER, 
	inclusion_probability DOUBLE, 
	retracts INTEGER, 
	origin INTEGER, 
	is_stale BOOLEAN NOT NULL, 
	CONSTRAINT pk_label PRIMARY KEY (id), 
	CONSTRAINT fk_label_sample_id FOREIGN KEY(sample_id) REFERENCES sample (id) ON DELETE CASCADE, 
	CONSTRAINT fk_label_claim_id FOREIGN KEY(claim_id) REFERENCES claim (id) ON DELETE CASCADE, 
	CONSTRAINT fk_label_spot_check_id FOREIGN KEY(spot_check_id) REFERENCES spot_check (id) ON DELETE SET NULL
);
INSERT INTO label VALUES(1,'xbdmbgm4',6,16,'verdict','supported','reviewer','ada','2026-11-28 20:40:25.695691','seen',NULL,NULL,NULL,NULL,NULL,0,1,1,0.60000000000000008881,NULL,NULL,0);
INSERT INTO label VALUES(2,'xbdmbgm4',1,1,'verdict','supported','reviewer','ada','2026-11-28 20:40:25.695786','seen',NULL,NULL,NULL,NULL,NULL,0,1,1,0.24000000000000001887,NULL,NULL,0);
INSERT INTO label VALUES(3,'xbdmbgm4',4,11,'verdict','supported','reviewer','ada','2026-11-28 20:40:25.695865','seen',NULL,NULL,NULL,NULL,NULL,0,1,1,0.60000000000000008881,NULL,NULL,0);
INSERT INTO label VALUES(4,'xbdmbgm4',5,14,'verdict','contradicted','reviewer','ada','2026-11-28 20:40:25.695919','seen',NULL,NULL,NULL,NULL,NULL,0,1,1,0.40000000000000007771,NULL,NULL,0);
INSERT INTO label VALUES(5,'xbdmbgm4',10,26,'verdict','supported','reviewer','ada','2026-11-28 20:40:25.695963','seen',NULL,NULL,NULL,NULL,NULL,0,1,1,0.40000000000000007771,NULL,NULL,0);
INSERT INTO label VALUES(6,'xbdmbgm4',8,21,'verdict','supported','reviewer','ada','2026-11-28 20:40:25.696005','seen',NULL,NULL,NULL,NULL,NULL,0,1,1,0.60000000000000008881,NULL,NULL,0);
INSERT INTO label VALUES(7,'xbdmbgm4',2,6,'not_a_claim',NULL,'reviewer','ada','2026-11-28 20:40:25.696044','seen',NULL,NULL,NULL,NULL,NULL,0,1,1,0.60000000000000008881,NULL,NULL,0);
INSERT INTO label VALUES(8,'xbdmbgm4',4,12,'verdict','supported','reviewer','ada','2026-11-28 20:40:25.696094','seen',NULL,NULL,NULL,NULL,NULL,0,1,1,0.60000000000000008881,NULL,NULL,0);
INSERT INTO label VALUES(9,'xbdmbgm4',7,19,'verdict','supported','reviewer','ada','2026-11-28 20:40:25.696136','seen',NULL,NULL,NULL,NULL,NULL,0,1,1,0.40000000000000007771,NULL,NULL,0);
INSERT INTO label VALUES(10,'xbdmbgm4',8,22,'verdict','not_mentioned','reviewer','ada','2026-11-28 20:40:25.696174','seen',NULL,NULL,NULL,NULL,NULL,0,1,1,0.60000000000000008881,NULL,NULL,0);
INSERT INTO label VALUES(11,'xbdmbgm4',9,24,'verdict','supported','reviewer','ada','2026-11-28 20:40:25.696212','seen',NULL,NULL,NULL,NULL,NULL,0,1,1,0.60000000000000008881,NULL,NULL,0);
INSERT INTO label VALUES(12,'xbdmbgm4',7,20,'verdict','supported','reviewer','ada','2026-11-28 20:40:25.696248','seen',NULL,NULL,NULL,NULL,NULL,0,1,1,0.40000000000000007771,NULL,NULL,0);
INSERT INTO label VALUES(13,'xbdmbgm4',6,16,'verdict','not_mentioned','reviewer','ben','2026-11-28 20:40:27.432297','seen',NULL,NULL,NULL,NULL,NULL,0,1,1,0.60000000000000008881,NULL,NULL,0);
INSERT INTO label VALUES(14,'xbdmbgm4',1,1,'verdict','supported','reviewer','ben','2026-11-28 20:40:27.432409','seen',NULL,NULL,NULL,NULL,NULL,0,1,1,0.24000000000000001887,NULL,NULL,0);
INSERT INTO label VALUES(15,'xbdmbgm4',4,11,'verdict','supported','reviewer','ben','2026-11-28 20:40:27.432484','seen',NULL,NULL,NULL,NULL,NULL,0,1,1,0.60000000000000008881,NULL,NULL,0);
INSERT INTO label VALUES(16,'xbdmbgm4',5,14,'verdict','supported','reviewer','ben','2026-11-28 20:40:27.432549','seen',NULL,NULL,NULL,NULL,NULL,0,1,1,0.40000000000000007771,NULL,NULL,0);
INSERT INTO label VALUES(17,'xbdmbgm4',10,26,'verdict','supported','reviewer','ben','2026-11-28 20:40:27.436721','seen',NULL,NULL,NULL,NULL,NULL,0,1,1,0.40000000000000007771,NULL,NULL,0);
CREATE TABLE reveal (
	claim_id INTEGER NOT NULL, 
	reviewer TEXT NOT NULL, 
	at DATETIME NOT NULL, 
	CONSTRAINT pk_reveal PRIMARY KEY (claim_id, reviewer), 
	CONSTRAINT fk_reveal_claim_id FOREIGN KEY(claim_id) REFERENCES claim (id) ON DELETE CASCADE
);
CREATE TABLE claim_review (
	claim_id INTEGER NOT NULL, 
	sample_id INTEGER NOT NULL, 
	run_id VARCHAR(16) NOT NULL, 
	verdict VARCHAR(24), 
	source VARCHAR(16) NOT NULL, 
	reviewers INTEGER NOT NULL, 
	is_inherited BOOLEAN NOT NULL, 
	has_stale BOOLEAN NOT NULL, 
	CONSTRAINT pk_claim_review PRIMARY KEY (claim_id), 
	CONSTRAINT fk_claim_review_claim_id FOREIGN KEY(claim_id) REFERENCES claim (id) ON DELETE CASCADE, 
	CONSTRAINT fk_claim_review_sample_id FOREIGN KEY(sample_id) REFERENCES sample (id) ON DELETE CASCADE
);
INSERT INTO claim_review VALUES(1,1,'xbdmbgm4','supported','reviewers',2,0,0);
INSERT INTO claim_review VALUES(6,2,'xbdmbgm4',NULL,'reviewers',1,0,0);
INSERT INTO claim_review VALUES(11,4,'xbdmbgm4','supported','reviewers',2,0,0);
INSERT INTO claim_review VALUES(12,4,'xbdmbgm4','supported','reviewers',1,0,0);
INSERT INTO claim_review VALUES(14,5,'xbdmbgm4','supported','disagreement',2,0,0);
INSERT INTO claim_review VALUES(16,6,'xbdmbgm4','supported','disagreement',2,0,0);
INSERT INTO claim_review VALUES(19,7,'xbdmbgm4','supported','reviewers',1,0,0);
INSERT INTO claim_review VALUES(20,7,'xbdmbgm4','supported','reviewers',1,0,0);
INSERT INTO claim_review VALUES(21,8,'xbdmbgm4','supported','reviewers',1,0,0);
INSERT INTO claim_review VALUES(22,8,'xbdmbgm4','not_mentioned','reviewers',1,0,0);
INSERT INTO claim_review VALUES(24,9,'xbdmbgm4','supported','reviewers',1,0,0);
INSERT INTO claim_review VALUES(26,10,'xbdmbgm4','supported','reviewers',2,0,0);
CREATE TABLE spot_check_item (
	id INTEGER NOT NULL, 
	spot_check_id INTEGER NOT NULL, 
	position INTEGER NOT NULL, 
	run_id VARCHAR(16) NOT NULL, 
	claim_id INTEGER NOT NULL, 
	stratum TEXT NOT NULL, 
	inclusion_probability DOUBLE NOT NULL, 
	is_open BOOLEAN NOT NULL, 
	CONSTRAINT pk_spot_check_item PRIMARY KEY (id), 
	CONSTRAINT uq_spot_check_item_spot_check_id_position UNIQUE (spot_check_id, position), 
	CONSTRAINT uq_spot_check_item_spot_check_id_claim_id UNIQUE (spot_check_id, claim_id), 
	CONSTRAINT fk_spot_check_item_spot_check_id FOREIGN KEY(spot_check_id) REFERENCES spot_check (id) ON DELETE CASCADE, 
	CONSTRAINT fk_spot_check_item_claim_id FOREIGN KEY(claim_id) REFERENCES claim (id) ON DELETE CASCADE
);
INSERT INTO spot_check_item VALUES(1,1,1,'xbdmbgm4',16,'all',0.60000000000000008881,0);
INSERT INTO spot_check_item VALUES(2,1,2,'xbdmbgm4',1,'all',0.24000000000000001887,0);
INSERT INTO spot_check_item VALUES(3,1,3,'xbdmbgm4',11,'all',0.60000000000000008881,0);
INSERT INTO spot_check_item VALUES(4,1,4,'xbdmbgm4',14,'all',0.40000000000000007771,0);
INSERT INTO spot_check_item VALUES(5,1,5,'xbdmbgm4',26,'all',0.40000000000000007771,0);
INSERT INTO spot_check_item VALUES(6,1,6,'xbdmbgm4',21,'all',0.60000000000000008881,0);
INSERT INTO spot_check_item VALUES(7,1,7,'xbdmbgm4',6,'all',0.60000000000000008881,0);
INSERT INTO spot_check_item VALUES(8,1,8,'xbdmbgm4',12,'all',0.60000000000000008881,0);
INSERT INTO spot_check_item VALUES(9,1,9,'xbdmbgm4',19,'all',0.40000000000000007771,0);
INSERT INTO spot_check_item VALUES(10,1,10,'xbdmbgm4',22,'all',0.60000000000000008881,0);
INSERT INTO spot_check_item VALUES(11,1,11,'xbdmbgm4',24,'all',0.60000000000000008881,0);
INSERT INTO spot_check_item VALUES(12,1,12,'xbdmbgm4',20,'all',0.40000000000000007771,0);
INSERT INTO spot_check_item VALUES(13,2,1,'fgj9b5nd',44,'all',0.3000000000000000444,1);
INSERT INTO spot_check_item VALUES(14,2,2,'fgj9b5nd',28,'all',0.12000000000000000943,1);
INSERT INTO spot_check_item VALUES(15,2,3,'fgj9b5nd',30,'all',0.12000000000000000943,1);
INSERT INTO spot_check_item VALUES(16,2,4,'fgj9b5nd',33,'all',0.3000000000000000444,1);
INSERT INTO spot_check_item VALUES(17,2,5,'fgj9b5nd',54,'all',0.20000000000000003885,1);
INSERT INTO spot_check_item VALUES(18,2,6,'fgj9b5nd',42,'all',0.20000000000000003885,1);
CREATE TABLE listed_claim (
	spot_check_id INTEGER NOT NULL, 
	claim_id INTEGER NOT NULL, 
	CONSTRAINT pk_listed_claim PRIMARY KEY (spot_check_id, claim_id), 
	CONSTRAINT fk_listed_claim_spot_check_id FOREIGN KEY(spot_check_id) REFERENCES spot_check (id) ON DELETE CASCADE, 
	CONSTRAINT fk_listed_claim_claim_id FOREIGN KEY(claim_id) REFERENCES claim (id) ON DELETE CASCADE
);
CREATE TABLE note (
	id INTEGER NOT NULL, 
	run_id VARCHAR(16) NOT NULL, 
	sample_id INTEGER NOT NULL, 
	claim_id INTEGER NOT NULL, 
	author TEXT NOT NULL, 
	at DATETIME NOT NULL, 
	text TEXT NOT NULL, 
	CONSTRAINT pk_note PRIMARY KEY (id), 
	CONSTRAINT fk_note_sample_id FOREIGN KEY(sample_id) REFERENCES sample (id) ON DELETE CASCADE, 
	CONSTRAINT fk_note_claim_id FOREIGN KEY(claim_id) REFERENCES claim (id) ON DELETE CASCADE
);
CREATE TABLE lease (
	item_id INTEGER NOT NULL, 
	reviewer TEXT NOT NULL, 
	until DATETIME NOT NULL, 
	CONSTRAINT pk_lease PRIMARY KEY (item_id, reviewer), 
	CONSTRAINT fk_lease_item_id FOREIGN KEY(item_id) REFERENCES spot_check_item (id) ON DELETE CASCADE
);
CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL, CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num));
INSERT INTO alembic_version VALUES('0028');
CREATE INDEX ix_run_as_of ON run (as_of);
CREATE INDEX ix_run_name ON run (name);
CREATE INDEX ix_run_repeat_of ON run (repeat_of);
CREATE INDEX ix_run_series ON run (series);
CREATE INDEX ix_chunk_chunk_hash ON chunk (chunk_hash);
CREATE INDEX ix_bench_fingerprint ON bench (fingerprint);
CREATE INDEX ix_audit_entry_at ON audit_entry (at);
CREATE INDEX ix_audit_entry_who ON audit_entry (who, id);
CREATE INDEX ix_audit_entry_action ON audit_entry (action, id);
CREATE INDEX ix_event_at ON event (at);
CREATE INDEX ix_saved_mapping_columns_hash ON saved_mapping (columns_hash);
CREATE INDEX ix_logged_answer_fate ON logged_answer (fate, application, id);
CREATE INDEX ix_sample_content_hash ON sample (content_hash);
CREATE INDEX ix_sample_sample_hash ON sample (sample_hash);
CREATE INDEX ix_kb_chunk_chunk_id ON kb_chunk (chunk_id);
CREATE INDEX ix_comparison_candidate_id ON comparison (candidate_id);
CREATE INDEX ix_pair_choice_runs ON pair_choice (baseline_id, candidate_id);
CREATE INDEX ix_pair_choice_candidate_id ON pair_choice (candidate_id);
CREATE INDEX ix_alert_run_id ON alert (run_id);
CREATE INDEX ix_dataset_version_content_hash ON dataset_version (content_hash);
CREATE INDEX ix_dataset_held_out_subject ON dataset_held_out (subject);
CREATE INDEX ix_live_window_application ON live_window (application, starts_at);
CREATE INDEX ix_preflight_run_id ON preflight (run_id);
CREATE INDEX ix_preflight_content_hash ON preflight (content_hash);
CREATE INDEX ix_result_worst ON result (run_id, faithfulness, position);
CREATE INDEX ix_result_segment ON result (run_id, segment);
CREATE INDEX ix_result_harm ON result (run_id, worst_harm, faithfulness, position);
CREATE INDEX ix_result_state ON result (run_id, state);
CREATE INDEX ix_sample_chunk_chunk_id ON sample_chunk (chunk_id);
CREATE INDEX ix_claim_hallucination ON claim (run_id, hallucination_type, sample_id) WHERE hallucination_type IS NOT NULL;
CREATE INDEX ix_run_dataset_version_id ON run_dataset (version_id);
CREATE INDEX ix_sample_review_run ON sample_review (run_id);
CREATE INDEX ix_inbox_claim_facets ON inbox_claim (run_id, verdict, error_type, label_state, segment_id, text_id);
CREATE INDEX ix_inbox_claim_open ON inbox_claim (text_id, verdict, run_id, error_type, label_state, segment_id, document_id, harm) WHERE verdict > 0;
CREATE INDEX ix_inbox_claim_document ON inbox_claim (document_id, run_id, verdict, error_type, label_state, segment_id, text_id);
CREATE INDEX ix_inbox_claim_text ON inbox_claim (text_id, verdict, run_id, error_type, label_state, segment_id, document_id, harm);
CREATE INDEX ix_inbox_assignment_reviewer ON inbox_assignment (reviewer);
CREATE INDEX ix_label_spot_check_id ON label (spot_check_id);
CREATE INDEX ix_label_retracts ON label (retracts);
CREATE INDEX ix_label_origin ON label (origin);
CREATE INDEX ix_label_run ON label (run_id, id);
CREATE INDEX ix_label_claim_id ON label (claim_id);
CREATE INDEX ix_label_sample_id ON label (sample_id);
CREATE INDEX ix_claim_review_sample_id ON claim_review (sample_id);
CREATE INDEX ix_claim_review_run ON claim_review (run_id, source);
CREATE INDEX ix_spot_check_item_open ON spot_check_item (spot_check_id, is_open, position);
CREATE INDEX ix_spot_check_item_claim_id ON spot_check_item (claim_id);
CREATE INDEX ix_listed_claim_claim_id ON listed_claim (claim_id);
CREATE INDEX ix_note_run_id ON note (run_id);
CREATE INDEX ix_note_sample_id ON note (sample_id);
CREATE INDEX ix_note_claim_id ON note (claim_id);
CREATE VIRTUAL TABLE claim_words USING fts5(words, content='claim_text', content_rowid='id', tokenize="unicode61 remove_diacritics 0 categories 'L* N* M* Co'");
INSERT INTO claim_words(claim_words) VALUES('rebuild');
CREATE TRIGGER claim_words_added AFTER INSERT ON claim_text BEGIN INSERT INTO claim_words(rowid, words) VALUES (new.id, new.words); END;
CREATE TRIGGER claim_words_removed AFTER DELETE ON claim_text BEGIN INSERT INTO claim_words(claim_words, rowid, words) VALUES ('delete', old.id, old.words); END;
CREATE TRIGGER audit_entry_no_update BEFORE UPDATE ON audit_entry BEGIN SELECT RAISE(ABORT, 'rows of the audit log are never changed or deleted'); END;
CREATE TRIGGER audit_entry_no_delete BEFORE DELETE ON audit_entry BEGIN SELECT RAISE(ABORT, 'rows of the audit log are never changed or deleted'); END;
COMMIT;
