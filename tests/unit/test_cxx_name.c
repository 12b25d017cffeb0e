/*
 * test_cxx_name.c - names of C++ functions from mangled ones, by the rules of the Itanium C++ ABI, 5.1.
 */
#include "cxx_name.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void assert_name(const char *mangled, const char *name)
{
	char *s = cxx_name(mangled, false);

	assert_string_equal(s, name);
	free(s);
}

/* Namespaces, internal linkage, what has no name. */
static void test_names(void **state UNUSED)
{
	assert_name("matmul16", "matmul16");
	assert_name("_Z3addPfPKf", "add");
	assert_name("_ZL3addPf", "add");
	assert_name("_ZN3img5scaleEPf", "img::scale");
	assert_name("_ZN3img4deep5scaleEPf", "img::deep::scale");
	assert_name("_ZN12_GLOBAL__N_16kernelEPf", "(anonymous)::kernel");
	assert_name("_ZN38_GLOBAL__N__5a1f2e3b_4_k_cu_0badf00d_16kernelEPf", "(anonymous)::kernel");
}

/* Template arguments: types, numbers, lists, templates. */
static void test_arguments(void **state UNUSED)
{
	assert_name("_Z5scaleIfEvPT_", "scale<float>");
	assert_name("_ZN3img5scaleIfLi4EEEvPT_S1_", "img::scale<float,4>");
	assert_name("_Z1fILin3ELj7ELb1ELb0EEvv", "f<-3,7,true,false>");
	assert_name("_Z1fIJfdEEvDpT_", "f<float,double>");
	assert_name("_Z1fIJEEvDpT_", "f<>");
	assert_name("_Z1fIiJfdEcEvv", "f<int,float,double,char>");
	assert_name("_Z1fIPKfRjEvv", "f<float const*,unsigned int&>");
	assert_name("_Z1fI4pairIidEEvT_", "f<pair<int,double>>");
	assert_name("_Z1fIL4mode2EEvv", "f<(mode)2>");
	assert_name("_Z1fIL4mode2ES0_Evv", "f<(mode)2,mode>");
	assert_name("_ZN1AIfE1fEv", "A<float>::f");
	assert_name("_Z1fISt6vectorIiSaIiEEEvT_", "f<std::vector<int,std::allocator<int>>>");
}

/* S_ stands for the first part that could be meant later, S0_ for the second: of a nested name each prefix but the
 * whole (ns, ns::g), the name before template arguments, and each type that is not builtin, the inner before the outer.
 */
static void test_substitutions(void **state UNUSED)
{
	assert_name("_ZN2ns1gINS_1AEEEvT_", "ns::g<ns::A>");
	assert_name("_ZN2ns1gINS_1AES1_EEvT_", "ns::g<ns::A,ns::A>");		      /* ns, ns::g, ns::A */
	assert_name("_Z1fI1AS0_PS0_EvT_", "f<A,A,A*>");				      /* f, A */
	assert_name("_Z1fIPKfS1_S0_Evv", "f<float const*,float const*,float const>"); /* f, float const, float const* */
	assert_name("_Z1fI1AIiES1_S0_IfEEvv", "f<A<int>,A<int>,A<float>>");	      /* f, A, A<int> */
	/* the 38th has the number 10 in base 36: f, then 37 classes */
	assert_name("_Z1fI1a1b1c1d1e1f1g1h1i1j1k1l1m1n1o1p1q1r1s1t1u1v1w1x1y1z1A1B1C1D1E1F1G1H1I1J1KS10_Evv",
		    "f<a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q,r,s,t,u,v,w,x,y,z,A,B,C,D,E,F,G,H,I,J,K,K>");
}

/* Parameters, on demand; S_ and those behind it count on. */
static void test_parameters(void **state UNUSED)
{
	static const char *const row[][2] = {
		{"_Z4fillPfi", "fill(float*,int)"},
		{"_Z4fillv", "fill()"},
		{"fill", "fill"},
		{"_ZN3img4fillENS_4modeEPKdS2_", "img::fill(img::mode,double const*,double const*)"},
		{"_Z5scaleIfEvPT_", "scale<float>"},
		{"_Z4fillPQ", "_Z4fillPQ"}};

	for (u32 i = 0; i < ARRAY_LEN(row); i++) {
		char *s = cxx_name(row[i][0], true);

		assert_string_equal(s, row[i][1]);
		free(s);
	}
}

/* What is not read, or is broken or too long, stays as it is. */
static void test_left(void **state UNUSED)
{
	static const char *const same[] = {"_Z",
					   "_Z3ad",
					   "_Z4mixed1",
					   "_ZN3img5scale",
					   "_Z1fIS5_Evv",
					   "_Z1fIS",
					   "_Z1fIS0",
					   "_Z1fILi4",
					   "_Z1fIL",
					   "_ZplRK1AS1_",
					   "_ZN1AC1Ev",
					   "_ZZ1fvE1g",
					   "_Z99999999999999999999a",
					   "_Z1fIXadL_Z1gvEEEvv"};
	char deep[600] = "_Z1fI", wide[900] = "_Z1fI";

	for (u32 i = 0; i < ARRAY_LEN(same); i++)
		assert_name(same[i], same[i]);
	memset(deep + 5, 'P', 400);
	strcat(deep, "iEvv");
	assert_name(deep, deep);
	strcat(wide, "1a"); /* S0_; then b and b<.,.> of the one before, twice as long */
	for (u32 i = 0; i < 8; i++)
		snprintf(wide + strlen(wide), 16, "1bIS%c_S%c_E", "02468ACE"[i], "02468ACE"[i]);
	strcat(wide, "Evv");
	assert_name(wide, wide);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_names), cmocka_unit_test(test_arguments),
					   cmocka_unit_test(test_substitutions), cmocka_unit_test(test_left),
					   cmocka_unit_test(test_parameters)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
